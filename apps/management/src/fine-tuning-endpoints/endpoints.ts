import { Injectable } from '@nestjs/common';
import { type z } from 'zod';
import { known, recordFields, type Caller } from '@svc/api';
import { type Mutation, Mutations } from '@svc/approvals/store';
import {
  firstSlice,
  paidParts,
  priceOfSeconds,
  requireDeletable,
  requireStartable,
  requireStoppable,
  runSecondsMax,
} from '@svc/fine-tuning';
import { holdRefusedError, type HoldDecision, walletBpsOf } from '@svc/ledger';
import { GatewayError, nanos, type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields } from '@svc/database';
import {
  type EndpointRecord,
  EndpointStore,
  type RunTerms,
  type TunedModelRecord,
  TunedModelStore,
} from '@svc/fine-tuning/store';
import { EndpointPlans, type PlanRun } from './endpoint-plans';
import {
  auditedEndpoint,
  type endpointChange,
  type endpointFilters,
  type newEndpoint,
} from './endpoint-schema';
import { type ShownEndpoint } from './shown-endpoint';
import { ShownEndpoints } from './shown-endpoints';

type Refusal = Exclude<HoldDecision['refusedBy'], null>;
type Started = { readonly record: EndpointRecord } | { readonly refusedBy: Refusal };

/** An organization's dedicated endpoints. Workers start, meter and stop them (docs/reference/fine-tuning.md#endpoints). */
@Injectable()
export class FineTuningEndpoints {
  constructor(
    private readonly store: EndpointStore,
    private readonly models: TunedModelStore,
    private readonly plans: EndpointPlans,
    private readonly shown: ShownEndpoints,
    private readonly mutations: Mutations,
  ) {}

  async list(
    caller: Caller,
    page: Page,
    filter: z.output<z.ZodObject<typeof endpointFilters>>,
  ): Promise<Slice<ShownEndpoint>> {
    const { organizationId, projectId } = caller;
    const { items, hasMore } = await this.store.listDedicatedEndpoints(
      organizationId,
      page,
      filter,
      projectId,
    );
    return { items: await this.shown.all(organizationId, items), hasMore };
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId, projectId }: Caller, id: string): Promise<ShownEndpoint> {
    return this.shown.one(known(await this.store.findDedicatedEndpoint(organizationId, id, projectId)));
  }

  /**
   * @throws GatewayError `notFound` for a model that is not there; `invalidRequest` for hardware that the catalog has not for it;
   * `noEligibleRoute`; `conflict` where the model has one.
   */
  async create(caller: Caller, body: z.output<typeof newEndpoint>): Promise<ShownEndpoint> {
    const { organizationId, projectId, actor } = caller;
    const { max_spend_nanos, ...given } = body;
    const plan = await this.plans.of(caller);
    const record = await this.mutations.run(caller, async ({ tx, newId, audit }) => {
      await this.store.lockUp(tx, organizationId);
      const tuned = knownModel(await this.models.lockModel(tx, organizationId, body.model, projectId));
      plan(tuned, body.hardware);
      if (await this.store.hasEndpoint(tx, organizationId, tuned.name))
        throw new GatewayError('conflict', 'The model has an endpoint already.', { param: 'model' });
      const id = newId('fineTuningEndpoint');
      const created = await this.store.createDedicatedEndpoint(tx, {
        ...{ id, organizationId, projectId },
        ...recordFields(given),
        model: tuned.name,
        maxSpend: max_spend_nanos === null ? null : nanos(max_spend_nanos),
        creatorId: actor.id ?? '',
      });
      await audit('fine_tuning_endpoint.create', id, initialFields(auditedEndpoint(created)));
      return created;
    });
    return this.shown.one(record);
  }

  /** @throws GatewayError `notFound`. */
  async update(caller: Caller, id: string, body: z.output<typeof endpointChange>): Promise<ShownEndpoint> {
    const record = await this.locked(caller, id, async (found, { tx, audit }) => {
      const before = auditedEndpoint(found);
      const changes = changedFields(before, body);
      if (Object.keys(changes).length === 0) return found;
      await audit('fine_tuning_endpoint.update', id, changes, before);
      const { max_spend_nanos, ...given } = body;
      return this.store.updateDedicatedEndpoint(tx, {
        ...found,
        ...recordFields(given),
        ...(max_spend_nanos !== undefined && {
          maxSpend: max_spend_nanos === null ? null : nanos(max_spend_nanos),
        }),
      });
    });
    return this.shown.one(record);
  }

  /**
   * Begins a run: its first slice is held with it. A retry with the same key within 24 hours answers with the endpoint as it is by then.
   * @throws GatewayError `notFound`; `noEligibleRoute`; `insufficientFunds`, `budgetExceeded`; `conflict` for one that is up, or where too
   * many are; `idempotencyKeyReused`.
   */
  async start(caller: Caller, id: string, key: string | null): Promise<ShownEndpoint> {
    const plan = await this.plans.of(caller);
    const started = await this.mutations.run(caller, (mutation) =>
      this.startWithin(mutation, caller, id, key, plan),
    );
    // Thrown after the commit, which keeps when a budget first refused something.
    if ('refusedBy' in started) throw holdRefusedError(started.refusedBy);
    return this.shown.one(started.record);
  }

  /** @throws GatewayError `notFound`; `conflict` for one that does not run. */
  async stop(caller: Caller, id: string): Promise<ShownEndpoint> {
    const record = await this.locked(caller, id, async (found, { tx, audit }) => {
      requireStoppable(found.state);
      await audit('fine_tuning_endpoint.stop', id, {
        state: { from: found.state, to: 'stopping' },
        stop_reason: { to: 'user' },
      });
      return this.store.stopDedicatedEndpoint(tx, found);
    });
    return this.shown.one(record);
  }

  /** @throws GatewayError `notFound`; `conflict` for one that may be up. */
  remove(caller: Caller, id: string): Promise<void> {
    return this.locked(caller, id, async (found, { tx, audit }) => {
      requireDeletable(found.state);
      await audit('fine_tuning_endpoint.delete', id, { model: { from: found.model } });
      await this.store.removeDedicatedEndpoint(tx, found);
    });
  }

  private async startWithin(
    { tx, audit }: Mutation,
    { organizationId, projectId, actor }: Caller,
    id: string,
    idempotencyKey: string | null,
    plan: PlanRun,
  ): Promise<Started> {
    // The second of two calls with the same key waits here, and then finds the first one's run.
    const up = await this.store.lockUp(tx, organizationId);
    const found = known(await this.store.lockDedicatedEndpoint(tx, organizationId, id, projectId));
    const earlier =
      idempotencyKey === null ? null : await this.store.startedBy(tx, organizationId, idempotencyKey);
    if (earlier === id) return { record: found };
    if (earlier !== null) {
      throw new GatewayError('idempotencyKeyReused', 'This key was used to start another endpoint.', {
        param: 'Idempotency-Key',
      });
    }
    requireStartable(found.state);
    if (up.count >= up.max) {
      throw new GatewayError(
        'conflict',
        `At most ${String(up.max)} endpoints of an organization run at a time: stop one first.`,
      );
    }
    const tuned = knownModel(await this.models.lockModel(tx, organizationId, found.model, null));
    const terms = plan(tuned, found.hardware);
    requireAffordable(found, terms);
    const apiKeyId = actor.type === 'api_key' ? actor.id : null;
    const decision = await this.store.startDedicatedEndpoint(tx, found, terms, { apiKeyId, idempotencyKey });
    if (decision.held === null) return { refusedBy: decision.refusedBy };
    await audit(
      'fine_tuning_endpoint.start',
      id,
      { state: { from: found.state, to: 'starting' } },
      auditedEndpoint(found),
    );
    return { record: known(await this.store.lockDedicatedEndpoint(tx, organizationId, id, projectId)) };
  }

  private locked<T>(
    caller: Caller,
    id: string,
    work: (found: EndpointRecord, mutation: Mutation) => Promise<T>,
  ): Promise<T> {
    const { organizationId, projectId } = caller;
    return this.mutations.run(caller, async (mutation) =>
      work(
        known(await this.store.lockDedicatedEndpoint(mutation.tx, organizationId, id, projectId)),
        mutation,
      ),
    );
  }
}

/** @throws GatewayError `budgetExceeded` where a run may not spend its first slice. */
function requireAffordable(
  { maxSpend, maxHours }: EndpointRecord,
  { credentialId, pricePerHour, sliceSeconds, prices }: RunTerms,
): void {
  const priceBps = walletBpsOf(prices, credentialId === null ? 'platform' : 'own');
  const { seconds } = firstSlice({ sliceSeconds, maxSeconds: runSecondsMax(maxHours) });
  const cost = paidParts({ credentialId, priceBps }, (bps) => priceOfSeconds(seconds, pricePerHour, bps));
  if (maxSpend === null || cost.both <= maxSpend) return;
  throw new GatewayError('budgetExceeded', 'max_spend_nanos: the first slice of a run costs more.', {
    param: 'max_spend_nanos',
  });
}

function knownModel(found: TunedModelRecord | null): TunedModelRecord {
  if (found !== null) return found;
  throw new GatewayError('notFound', 'There is no such fine-tuned model: model.', { param: 'model' });
}
