import {
  type Database,
  lockOrganization,
  olderThan,
  pageArguments,
  prismaOf,
  seenBy,
  sliceOf,
  type Transaction,
} from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { type HoldDecision, type OrganizationPrices } from '@svc/ledger';
import { type Nanos, type Page, type Slice } from '@svc/kernel';
import { RUNNING_ENDPOINTS_MAX } from '../rules/endpoints/endpoint-state';
import { firstSlice, runSecondsMax } from '../rules/endpoints/metering';
import {
  choicesOf,
  type EndpointChoices,
  type EndpointRecord,
  toEndpointRecord,
  WITH_LAST_RUN,
} from './endpoint-record';
import { EndpointSlices, sliceBps } from './endpoint-slices';

interface NewEndpoint extends EndpointChoices {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  readonly model: string;
  readonly hardware: string;
  readonly creatorId: string;
}

/** The terms of a run, from the catalog and the model. They hold for the run. */
export interface RunTerms {
  readonly provider: string;
  readonly upstreamModel: string;
  readonly region: string;
  readonly credentialId: string | null;
  readonly hardware: string;
  readonly startTimeoutMs: number;
  /** Of the catalog. */
  readonly pricePerHour: Nanos;
  readonly sliceSeconds: number;
  /** The organization's prices now: those of the first slice. */
  readonly prices: OrganizationPrices;
}

interface Starter {
  /** The key that starts it; null where a user does. */
  readonly apiKeyId: string | null;
  readonly idempotencyKey: string | null;
}

/** How many endpoints of an organization may be up at a provider, and are at most. */
interface EndpointsUp {
  readonly count: number;
  readonly max: number;
}

interface EndpointFilter {
  readonly model?: string | undefined;
}

/** Endpoints as people make, start, stop and delete them. A worker carries the orders out. */
export class EndpointStore {
  private readonly slices = new EndpointSlices();

  constructor(private readonly database: Database) {}

  /** Newest first. @param onlyProject shows only those that keys of this project made; null for all. */
  async listDedicatedEndpoints(
    organizationId: string,
    page: Page,
    { model }: EndpointFilter,
    onlyProject: string | null,
  ): Promise<Slice<EndpointRecord>> {
    const rows = await this.database.prisma.fineTuningEndpoint.findMany({
      ...pageArguments(page),
      where: {
        ...seen(organizationId, onlyProject),
        ...olderThan(page),
        ...(model === undefined ? {} : { model }),
      },
      include: WITH_LAST_RUN,
    });
    return sliceOf(rows, page, toEndpointRecord);
  }

  findDedicatedEndpoint(
    organizationId: string,
    id: string,
    onlyProject: string | null,
  ): Promise<EndpointRecord | null> {
    return findEndpoint(this.database.prisma, organizationId, id, onlyProject);
  }

  /** Locks the endpoint until the transaction ends. */
  async lockDedicatedEndpoint(
    tx: Transaction,
    organizationId: string,
    id: string,
    onlyProject: string | null,
  ): Promise<EndpointRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM fine_tuning_endpoints
      WHERE organization_id = ${organizationId} AND id = ${id} FOR NO KEY UPDATE`;
    // After its endpoint, as the worker locks them: it waits for a step that is being committed.
    await prisma.$queryRaw`SELECT FROM fine_tuning_endpoint_runs
      WHERE endpoint_id = ${id} AND ended_at IS NULL FOR NO KEY UPDATE`;
    return findEndpoint(prisma, organizationId, id, onlyProject);
  }

  /** Until the transaction ends, nobody else of the organization makes or starts one. */
  async lockUp(tx: Transaction, organizationId: string): Promise<EndpointsUp> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    const [up] = await prisma.$queryRaw<{ count: number; max: number | null }[]>`
      SELECT fine_tuning_endpoints_max AS max, (SELECT count(*)::int FROM fine_tuning_endpoint_runs
        WHERE organization_id = o.id AND ended_at IS NULL) AS count
      FROM organizations o WHERE id = ${organizationId}`;
    return { count: up?.count ?? 0, max: up?.max ?? RUNNING_ENDPOINTS_MAX };
  }

  /** Must follow {@link lockUp}. */
  async hasEndpoint(tx: Transaction, organizationId: string, model: string): Promise<boolean> {
    return (
      (await prismaOf(tx).fineTuningEndpoint.count({ where: { organizationId, model, deletedAt: null } })) > 0
    );
  }

  async createDedicatedEndpoint(tx: Transaction, created: NewEndpoint): Promise<EndpointRecord> {
    const { idleStopMinutes, maxHours, maxSpend, ...rest } = created;
    const row = await prismaOf(tx).fineTuningEndpoint.create({
      data: { ...rest, ...choicesOf({ idleStopMinutes, maxHours, maxSpend }) },
      include: WITH_LAST_RUN,
    });
    return toEndpointRecord(row);
  }

  /** Holds for a run that is under way too. @param found locked. */
  async updateDedicatedEndpoint(
    tx: Transaction,
    { id, ...choices }: EndpointChoices & Pick<EndpointRecord, 'id'>,
  ): Promise<EndpointRecord> {
    const row = await prismaOf(tx).fineTuningEndpoint.update({
      where: { id },
      data: choicesOf(choices),
      include: WITH_LAST_RUN,
    });
    await this.wake(tx, id);
    return toEndpointRecord(row);
  }

  /** @param found locked. */
  async removeDedicatedEndpoint(tx: Transaction, { id }: EndpointRecord): Promise<void> {
    await prismaOf(tx).$executeRaw`
      UPDATE fine_tuning_endpoints SET deleted_at = clock_timestamp() WHERE id = ${id}`;
  }

  /** The endpoint that was started with this key in the last 24 hours. Must follow {@link lockUp}. */
  async startedBy(tx: Transaction, organizationId: string, key: string): Promise<string | null> {
    const [found] = await prismaOf(tx).$queryRaw<{ endpointId: string }[]>`
      SELECT endpoint_id AS "endpointId" FROM fine_tuning_endpoint_runs
      WHERE organization_id = ${organizationId} AND idempotency_key = ${key}
        AND requested_at > clock_timestamp() - interval '24 h' ORDER BY requested_at DESC LIMIT 1`;
    return found?.endpointId ?? null;
  }

  /**
   * Begins a run, and holds its first slice. Locks the wallet.
   * @param found locked, and not up.
   * @returns the refusal of the hold: then there is no run.
   */
  async startDedicatedEndpoint(
    tx: Transaction,
    found: EndpointRecord,
    terms: RunTerms,
    { apiKeyId, idempotencyKey }: Starter,
  ): Promise<HoldDecision> {
    const prisma = prismaOf(tx);
    const { id: endpointId, organizationId, projectId, model } = found;
    const { pricePerHour, prices, ...rest } = terms;
    const { lastRun } = await prisma.fineTuningEndpoint.findUniqueOrThrow({ where: { id: endpointId } });
    const number = lastRun + 1;
    const run = {
      ...{ organizationId, projectId, apiKeyId, model, ...rest },
      id: `${endpointId}.${String(number)}`,
      pricePerHourNanos: pricePerHour,
    };
    const slice = firstSlice({ sliceSeconds: terms.sliceSeconds, maxSeconds: runSecondsMax(found.maxHours) });
    const priceBps = sliceBps(run, prices);
    const decision = await this.slices.openSlice(tx, run, slice, priceBps);
    if (decision.held === null) return decision;
    await prisma.fineTuningEndpoint.update({ where: { id: endpointId }, data: { lastRun: number } });
    await prisma.fineTuningEndpointRun.create({ data: { ...run, endpointId, number, idempotencyKey } });
    await this.slices.noteSlice(tx, run, slice, { held: decision.held, priceBps });
    return decision;
  }

  /** Orders a stop: calls are not sent there any more, and nothing is charged from now on. @param found locked. */
  async stopDedicatedEndpoint(tx: Transaction, { id }: EndpointRecord): Promise<EndpointRecord> {
    const prisma = prismaOf(tx);
    await prisma.$executeRaw`
      UPDATE fine_tuning_endpoint_runs SET state = 'stopping', stop_reason = 'user', stopped_serving_at = clock_timestamp(),
        due_at = clock_timestamp()
      WHERE endpoint_id = ${id} AND state IN ('starting', 'running')`;
    const row = await prisma.fineTuningEndpoint.findUniqueOrThrow({ where: { id }, include: WITH_LAST_RUN });
    return toEndpointRecord(row);
  }

  /** The sums of all runs of each endpoint. */
  async totals(ids: readonly string[]): Promise<ReadonlyMap<string, EndpointTotals>> {
    const { rows } = await this.database.pool.query<{ id: string; seconds: string; nanos: string }>(
      `SELECT endpoint_id AS id, sum(running_seconds) AS seconds, sum(charged_nanos) AS nanos
       FROM fine_tuning_endpoint_runs WHERE endpoint_id = ANY($1) GROUP BY 1`,
      [ids],
    );
    return new Map(
      rows.map(({ id, seconds, nanos }) => [id, { endedSeconds: Number(seconds), charged: BigInt(nanos) }]),
    );
  }

  /** When a call of each model last ended, to the minute. @param models of the organization. */
  async lastCalls(organizationId: string, models: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    const { rows } = await this.database.pool.query<{ model: string; at: Date }>(LAST_CALLS, [
      organizationId,
      models,
    ]);
    return new Map(rows.map(({ model, at }) => [model, at]));
  }

  private async wake(tx: Transaction, endpointId: string): Promise<void> {
    await prismaOf(tx).$executeRaw`
      UPDATE fine_tuning_endpoint_runs SET due_at = least(due_at, clock_timestamp())
      WHERE endpoint_id = ${endpointId} AND ended_at IS NULL`;
  }
}

/** Of the runs that have ended: seconds; of all: what was charged. */
export interface EndpointTotals {
  readonly endedSeconds: number;
  readonly charged: bigint;
}

/** A minute's calls ended within it: at its end at the latest. The index of models and minutes has the last one first. */
const LAST_CALLS = `
  SELECT m.model, least(c.minute + interval '1 min', now()) AS at
  FROM unnest($2::text[]) AS m (model) CROSS JOIN LATERAL (SELECT minute FROM call_minutes
    WHERE model = m.model AND organization_id = $1 AND calls > 0 ORDER BY minute DESC LIMIT 1) c`;

const seen = (organizationId: string, onlyProject: string | null) => ({
  ...seenBy(organizationId, onlyProject),
  deletedAt: null,
});

async function findEndpoint(
  prisma: Prisma.TransactionClient,
  organizationId: string,
  id: string,
  onlyProject: string | null,
): Promise<EndpointRecord | null> {
  const row = await prisma.fineTuningEndpoint.findFirst({
    where: { ...seen(organizationId, onlyProject), id },
    include: WITH_LAST_RUN,
  });
  return row && toEndpointRecord(row);
}
