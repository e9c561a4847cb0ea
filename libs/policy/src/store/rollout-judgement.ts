import {
  AuditLog,
  type Claim,
  type Database,
  LeasedWork,
  LeaseLostError,
  Outbox,
  prismaOf,
  type Transaction,
  UnitOfWork,
} from '@svc/database';
import { recordEvent } from '@svc/events';
import { type NewId } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { judgeRollout } from '../rules/rollouts/judge-rollout';
import { armsOf } from './rollout-arms';
import { endedRolloutData, toRolloutRecord } from './rollout-record';
import { endRollout, type RolloutEnd } from './rollout-store';

const JUDGE_EVERY_MS = 10_000;
/** Much longer than a verdict takes. A worker that is killed delays one by as much, so it is shorter than that of other work. */
const LEASE_MS = 10_000;
/** Rollouts that are judged at once. */
const BATCH = 50;

/** Judges running rollouts by their calls of the last 5 minutes. Any number of workers share the work. */
export class RolloutJudgement {
  /** Asks whether a rollout is due. */
  readonly isDue: () => Promise<boolean>;
  private readonly unitOfWork: UnitOfWork;
  private readonly auditLog: AuditLog;
  private readonly leases: LeasedWork;
  private readonly outbox = new Outbox();

  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
    leaseMs = LEASE_MS,
  ) {
    this.leases = new LeasedWork(database, { table: 'rollouts', what: 'the rollout' }, leaseMs);
    this.isDue = this.leases.isDue;
    this.unitOfWork = new UnitOfWork(database);
    this.auditLog = new AuditLog(database, newId);
  }

  /** Claims rollouts that are due. Those of a killed worker are due again after its lease. */
  claim(): Promise<readonly Claim[]> {
    return this.leases.claim(BATCH);
  }

  /** Those whose limits or end have come. */
  async ending(claims: readonly Claim[]): Promise<readonly Claim[]> {
    const { prisma } = this.database;
    const verdicts = await verdictsOf(
      prisma,
      claims.map(({ id }) => id),
    );
    return claims.filter(({ id }) => verdicts.has(id));
  }

  /** Ends a rollout by what holds once it is locked: its state, its event and its audit entry commit together. */
  async endRollout(claim: Claim): Promise<void> {
    try {
      await this.unitOfWork.transaction(async (tx) => {
        const { now } = await this.leases.lock<{ now: Date }>(tx, claim, 'now() AS now');
        const how = (await verdictsOf(prismaOf(tx), [claim.id])).get(claim.id);
        if (how !== undefined) await this.record(tx, claim.id, how, now);
      });
    } catch (error) {
      if (!(error instanceof LeaseLostError)) throw error;
    }
  }

  /** The rollout is due again after a tick, unless it ended. */
  async postpone(claim: Claim): Promise<void> {
    await this.leases.giveBack(
      claim,
      `due_at = CASE WHEN state = 'running' THEN clock_timestamp() + $3 * interval '1 ms' END`,
      [JUDGE_EVERY_MS],
    );
  }

  private async record(tx: Transaction, id: string, how: JudgedEnd, now: Date): Promise<void> {
    const { state, reason, organizationId } = how;
    const ended = await endRollout(tx, { organizationId, id }, how);
    if (ended === null) return;
    const isAborted = state === 'aborted';
    await this.auditLog.append(tx, {
      organizationId,
      actor: { type: 'system', id: null },
      action: isAborted ? 'rollout.abort' : 'rollout.complete',
      targetId: id,
      changes: { state: { from: 'running', to: state }, reason: { from: null, to: reason } },
      requestId: null,
    });
    const data = endedRolloutData(ended, reason, ended.arms.treatment);
    const type = isAborted ? 'rollout.aborted' : 'rollout.completed';
    await this.outbox.append(tx, recordEvent(this.newId('event'), type, organizationId, now.getTime(), data));
  }
}

interface JudgedEnd extends RolloutEnd {
  readonly organizationId: string;
}

/** How rollouts end now that run, by their ids. Those that go on are left out. */
async function verdictsOf(
  prisma: Parameters<typeof armsOf>[0] & Pick<Database['prisma'], 'rollout'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JudgedEnd>> {
  const rows = await prisma.rollout.findMany({ where: { id: { in: [...ids] }, state: 'running' } });
  const arms = await armsOf(prisma, ids, true);
  const over = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM rollouts WHERE id = ANY(${[...ids]}) AND ends_at <= now()`;
  const overIds = new Set(over.map(({ id }) => id));
  return new Map(
    rows.map(toRolloutRecord).flatMap((rollout) => {
      const { id, organizationId } = rollout;
      const treatment = arms.get(id)?.treatment;
      const reason = treatment === undefined ? null : judgeRollout(rollout, treatment, overIds.has(id));
      if (reason === null) return [];
      return [[id, { organizationId, state: reason === 'ended' ? 'completed' : 'aborted', reason }] as const];
    }),
  );
}
