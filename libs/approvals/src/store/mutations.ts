import {
  type AuditEntry,
  AuditLog,
  type Changes,
  type Database,
  Outbox,
  prismaOf,
  type Transaction,
  UnitOfWork,
} from '@svc/database';
import { type EventData, type EventType, recordEvent } from '@svc/events';
import { GatewayError, type Actor, type Clock, type JsonValue, type NewId } from '@svc/kernel';
import { systemClock, systemIds, type Sealer } from '@svc/runtime';
import { gateableAction } from '../rules/gateable-actions';
import { type Execution, type GatedCall } from '../rules/gated-call';
import {
  type ApprovalPolicy,
  type AuditedChange,
  changesApprovers,
  gatingPolicies,
} from '../rules/gating-policies';
import { targetDigest } from '../rules/target-digest';
import { ApprovalGate } from './approval-gate';
import { policiesOf } from './approval-policy-store';
import { openExecutionOf } from './open-execution';

/** Who makes a change, and in which organization. Every {@link Caller} is one. */
export interface ChangeAuthor {
  readonly organizationId: string;
  readonly actor: Actor;
  readonly requestId: string | null;
  /** The user behind a session or an access token. */
  readonly userId?: string | null;
  /** The call that makes the change: it is stored when the change has to wait for approval. */
  readonly call?: GatedCall;
  /** Set while an approved call is made. */
  readonly execution?: Execution;
}

/** A change under way. Its rows, audit entries and events commit together, or none does. */
export interface Mutation {
  readonly tx: Transaction;
  readonly newId: NewId;
  readonly at: Date;
  /**
   * Writes an audit entry about the resource with this id.
   * @param before the audited fields of a resource that was there already. A gateable change must give them: an approval
   * holds for the resource as it is.
   */
  audit(
    action: AuditEntry['action'],
    targetId: string,
    changes?: Changes,
    before?: Readonly<Record<string, JsonValue>>,
  ): Promise<void>;
  /** Sends an event to the organization's webhook endpoints. */
  announce<T extends EventType>(type: T, data: EventData[T]): Promise<void>;
}

interface MutationsOptions {
  /** Seals the calls that wait for approval. */
  readonly sealer: Sealer;
  readonly newId?: NewId;
  readonly clock?: Clock;
}

/** The outcome of a change: its result, or the request that waits for approval. */
type Outcome<T> = { readonly result: T } | { readonly approvalRequestId: string };

/**
 * Makes changes with their audit entries (docs/reference/management-conventions.md#audit-log). A change that an approval
 * policy gates is undone, and stored as a request (docs/reference/approvals.md).
 */
export class Mutations {
  private readonly unitOfWork: UnitOfWork;
  private readonly auditLog: AuditLog;
  private readonly gate: ApprovalGate;
  private readonly outbox = new Outbox();
  private readonly newId: NewId;
  private readonly clock: Clock;

  constructor(database: Database, { sealer, newId = systemIds, clock = systemClock }: MutationsOptions) {
    this.newId = newId;
    this.clock = clock;
    this.unitOfWork = new UnitOfWork(database);
    this.auditLog = new AuditLog(database, newId);
    this.gate = new ApprovalGate(sealer, this.auditLog, newId);
  }

  /**
   * @throws the failure of `work`; GatewayError `approvalRequired` for a change that waits now, `conflict` where too
   * many do.
   */
  async run<T>(author: ChangeAuthor, work: (mutation: Mutation) => Promise<T>): Promise<T> {
    if (author.execution !== undefined) {
      const { tx, changes, approvalRequestId } = openExecutionOf(author.execution);
      return work(this.mutation(author, tx, changes, approvalRequestId));
    }
    const make = () => this.unitOfWork.transaction((tx) => this.runGated(tx, author, work));
    // The second time, the policy that was made meanwhile is there from the start.
    const outcome = await make().catch((error: unknown) => {
      if (error instanceof FirstPolicyMade) return make();
      throw error;
    });
    if ('result' in outcome) return outcome.result;
    throw approvalRequired(outcome.approvalRequestId);
  }

  /**
   * Runs an effect that others see, such as a mail, once the change is committed.
   * @returns the effect's result; null where an approved call is being made, whose commit is still to come.
   */
  async afterCommit<T>(author: ChangeAuthor, effect: () => Promise<T>): Promise<T | null> {
    if (author.execution === undefined) return effect();
    openExecutionOf(author.execution).effects.push(effect);
    return null;
  }

  private async runGated<T>(
    tx: Transaction,
    author: ChangeAuthor,
    work: (mutation: Mutation) => Promise<T>,
  ): Promise<Outcome<T>> {
    const changes: AuditedChange[] = [];
    const policies = isGated(author) ? await policiesOf(tx, author.organizationId) : [];
    if (policies.length > 0) await prismaOf(tx).$executeRaw`SAVEPOINT before_change`;
    const result = await work(this.mutation(author, tx, changes));
    const gating = await this.gating(tx, author, policies, changes);
    // A call may change several things. It is shown as the last that waits, and waits for the policies of all.
    const change = changes.findLast((_, at) => (gating[at]?.length ?? 0) > 0);
    if (change !== undefined) {
      if (policies.length === 0) throw new FirstPolicyMade();
      await prismaOf(tx).$executeRaw`ROLLBACK TO SAVEPOINT before_change`;
      const held = this.held(author, change, [...new Set(gating.flat())]);
      const targetSha256 = targetDigest(changes);
      return { approvalRequestId: await this.gate.hold(tx, { ...held, targetSha256 }) };
    }
    return { result };
  }

  /**
   * The policies that each change waits for. A change of who may approve has locked the organization, as a change of a
   * policy does: policies that were made while it waited for the lock gate it too.
   */
  private async gating(
    tx: Transaction,
    author: ChangeAuthor,
    known: readonly ApprovalPolicy[],
    changes: readonly AuditedChange[],
  ): Promise<readonly (readonly ApprovalPolicy[])[]> {
    const isStale = isGated(author) && changes.some(changesApprovers);
    const policies = isStale ? await policiesOf(tx, author.organizationId) : known;
    return changes.map((change) => gatingPolicies(policies, change));
  }

  private held(
    { organizationId, actor: { type, id }, userId = null, requestId, call }: ChangeAuthor,
    change: AuditedChange,
    policies: ReturnType<typeof gatingPolicies>,
  ) {
    if (call === undefined || requestId === null || id === null || type === 'operator' || type === 'system') {
      throw new Error(`A gated change needs its call: ${change.action}`);
    }
    if (change.before === null && gateableAction(change.action)?.makesTarget !== true) {
      throw new Error(`A gated change needs its target as it was: ${change.action}`);
    }
    const requester = { type, id, userId };
    return { organizationId, requester, requestId, call, change, policies, nowMs: this.clock.now() };
  }

  private mutation(
    { organizationId, actor, requestId }: ChangeAuthor,
    tx: Transaction,
    noted: AuditedChange[],
    approvalRequestId: string | null = null,
  ): Mutation {
    const { newId } = this;
    return {
      tx,
      newId,
      at: new Date(this.clock.now()),
      audit: (action, targetId, changes = {}, before) => {
        noted.push({ action, targetId, changes, before: before ?? null });
        const entry = { organizationId, actor, action, targetId, changes, requestId, approvalRequestId };
        return this.auditLog.append(tx, entry);
      },
      // Not at the beginning of the change: an endpoint made in it gets its own creation, and nothing from before.
      announce: (type, data) =>
        this.outbox.append(tx, recordEvent(newId('event'), type, organizationId, this.clock.now(), data)),
    };
  }
}

/** An organization's first policy was made while a change that it gates was under way: the change is made anew. */
class FirstPolicyMade extends Error {
  override readonly name = 'FirstPolicyMade';
}

/** The operator and the service itself wait for nobody. */
const isGated = ({ actor: { type } }: ChangeAuthor): boolean => type !== 'operator' && type !== 'system';

const approvalRequired = (approvalRequestId: string): GatewayError =>
  new GatewayError(
    'approvalRequired',
    'An approval policy gates this change: it waits for approval, and nothing has changed yet.',
    { approvalRequestId },
  );
