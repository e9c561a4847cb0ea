import { nanos, type Nanos } from '@svc/kernel';
import { DEFAULT_PRICES } from '@svc/ledger';
import { type Database, type Transaction, UnitOfWork } from '@svc/database';
import { LedgerStore, WalletStore } from '@svc/ledger/store';
import { holdOf, settlementOf, UNOBSERVED } from '@svc/ledger/testing';
import { systemIds } from '@svc/runtime';
import { createLogger } from '@svc/runtime/observability';
import { type EndpointRecord } from '../store/endpoint-record';
import { EndpointStore } from '../store/endpoint-store';
import { EndpointRuns } from '../work/endpoint-runs';
import { type EndpointAdvancing, advanceEndpoint } from '../work/advance-endpoint';
import { Killed, ScriptedEndpoints } from './scripted-endpoints';

/** Of an hour: 1,000 nano-dollars a second. */
const PRICE = nanos(3_600_000);
export const PER_SECOND = 1_000n;
export const SLICE_SECONDS = 600;
const START_TIMEOUT_MS = 300_000;
const CREDIT = 10_000_000n;
const STEPS_MAX = 60;

interface NewWorldEndpoint {
  readonly idleStopMinutes?: number;
  readonly maxHours?: number;
  readonly maxSpend?: Nanos | null;
}

/** An organization with credit and an endpoint, a provider, workers that can be killed, and a clock that can be moved. */
export class EndpointWorld {
  readonly provider = new ScriptedEndpoints();
  readonly store: EndpointStore;
  readonly organizationId = systemIds('organization');
  readonly model = 'ft-qwertyui/small-support-asdfgh';
  unmeteredSeconds = 0;
  pollFailures = 0;
  isOffered = true;
  /** Kills the worker before its so many-th commit. */
  killAtCommit = Infinity;
  private commits = 0;

  private constructor(readonly test: { readonly database: Database }) {
    this.store = new EndpointStore(test.database);
  }

  static async open(test: { readonly database: Database }): Promise<EndpointWorld> {
    const world = new EndpointWorld(test);
    const { prisma } = test.database;
    await prisma.organization.create({ data: { id: world.organizationId, name: 'Acme' } });
    await new WalletStore(test.database).credit(world.organizationId, nanos(CREDIT), 'test');
    await prisma.fineTunedModel.create({
      data: {
        ...{ name: world.model, organizationId: world.organizationId, jobId: systemIds('fineTuningJob') },
        ...{ baseModel: 'acme/small', provider: 'acme', upstreamModel: 'ft:small:1', region: 'eu' },
      },
    });
    return world;
  }

  newEndpoint({ idleStopMinutes = 1_440, maxHours = 24, maxSpend = null }: NewWorldEndpoint = {}) {
    return this.within((tx) =>
      this.store.createDedicatedEndpoint(tx, {
        ...{ id: systemIds('fineTuningEndpoint'), organizationId: this.organizationId, projectId: 'proj_1' },
        ...{ model: this.model, hardware: 'gpu', creatorId: 'key_1', idleStopMinutes, maxHours, maxSpend },
      }),
    );
  }

  /** Orders a start. @returns whether the first slice was held. */
  async start(endpoint: EndpointRecord): Promise<boolean> {
    const terms = {
      ...{ provider: 'acme', upstreamModel: 'ft:small:1', region: 'eu', credentialId: null, hardware: 'gpu' },
      ...{
        startTimeoutMs: START_TIMEOUT_MS,
        pricePerHour: PRICE,
        sliceSeconds: SLICE_SECONDS,
        prices: DEFAULT_PRICES,
      },
    };
    const starter = { apiKeyId: 'key_1', idempotencyKey: null };
    const { held } = await this.within((tx) =>
      this.store.startDedicatedEndpoint(tx, endpoint, terms, starter),
    );
    return held !== null;
  }

  /** An endpoint that serves since just now. */
  async running(options: NewWorldEndpoint = {}): Promise<EndpointRecord> {
    const endpoint = await this.newEndpoint(options);
    await this.start(endpoint);
    await this.step();
    this.provider.say('started');
    await this.step();
    return this.now(endpoint);
  }

  async stop(endpoint: EndpointRecord): Promise<void> {
    await this.within(async (tx) => {
      const found = await this.store.lockDedicatedEndpoint(tx, this.organizationId, endpoint.id, null);
      if (found !== null) await this.store.stopDedicatedEndpoint(tx, found);
    });
  }

  /** One turn of one worker, as soon as it may take it. One that was killed has left its lease, which has run out by then. */
  async step(): Promise<void> {
    await this.test.database.pool.query(
      `UPDATE fine_tuning_endpoint_runs SET due_at = least(due_at, now()), lease_until = NULL WHERE due_at IS NOT NULL`,
    );
    const killsBefore = this.provider.kills;
    try {
      await advanceEndpoint(this.advancing(() => this.provider.kills > killsBefore));
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }

  /** Lets workers go on until nothing is left to do. */
  async runToItsEnd(endpoint: EndpointRecord): Promise<EndpointRecord> {
    for (let steps = 0; steps < STEPS_MAX; steps++) {
      // One whose machines are not known is looked for a while longer.
      const isLeft = { OR: [{ endedAt: null }, { NOT: { upstreamEndpoint: null } }] };
      const left = await this.test.database.prisma.fineTuningEndpointRun.count({
        where: { NOT: { dueAt: null }, ...isLeft },
      });
      if (left === 0) return this.now(endpoint);
      await this.step();
    }
    throw new Error('The run did not end.');
  }

  /** Moves everything that happened into the past. */
  async pass(seconds: number): Promise<void> {
    const columns = ['requested_at', 'running_since', 'last_seen_at', 'stopped_serving_at', 'ended_at'];
    const moved = columns.map((column) => `${column} = ${column} - $1 * interval '1 s'`).join(', ');
    await this.test.database.pool.query(`UPDATE fine_tuning_endpoint_runs SET ${moved}`, [seconds]);
    await this.test.database.pool.query(`UPDATE call_minutes SET minute = minute - $1 * interval '1 s'`, [
      seconds,
    ]);
  }

  /** A call of the model ended in this minute. */
  async called(): Promise<void> {
    await this.test.database.pool.query(
      `INSERT INTO call_minutes (organization_id, minute, project_id, api_key_id, model, provider, writer_id, calls, failures, cancelled,
         tries, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, spent_nanos,
         duration_bounds, duration_counts, ttft_bounds, ttft_counts)
       VALUES ($1, date_trunc('minute', now()), '', 'key_1', $2, 'acme', gen_random_uuid(), 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, '{}', '{}', '{}', '{}')`,
      [this.organizationId, this.model],
    );
  }

  /** A call of the model that has not ended. @returns what ends it. */
  async beginCall(): Promise<() => Promise<void>> {
    const ledger = new LedgerStore(this.test.database);
    const hold = holdOf(this.organizationId, 0, { model: this.model });
    await ledger.openHold(hold);
    return async () => {
      await ledger.settle(settlementOf(hold, 0, UNOBSERVED));
    };
  }

  async now({ id }: Pick<EndpointRecord, 'id'>): Promise<EndpointRecord> {
    const found = await this.store.findDedicatedEndpoint(this.organizationId, id, null);
    if (found === null) throw new Error('The endpoint is gone.');
    return found;
  }

  async wallet() {
    const { balanceNanos, heldNanos } = await this.test.database.prisma.wallet.findUniqueOrThrow({
      where: { organizationId: this.organizationId },
    });
    return { spent: CREDIT - balanceNanos, held: heldNanos };
  }

  slices() {
    return this.test.database.prisma.fineTuningEndpointSlice.findMany({ orderBy: { number: 'asc' } });
  }

  /** Type and data of each event. */
  async told(): Promise<readonly { readonly type: string; readonly data: Record<string, unknown> }[]> {
    const rows = await this.test.database.prisma.outboxEvent.findMany({
      where: { type: { startsWith: 'fine_tuning.endpoint' } },
      orderBy: { id: 'asc' },
    });
    return rows.map(({ type, payload }) => ({
      type,
      data: (JSON.parse(payload) as { data: Record<string, unknown> }).data,
    }));
  }

  within<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return new UnitOfWork(this.test.database).transaction(work);
  }

  advancing(isDead = () => false): EndpointAdvancing {
    const countCommit = () => {
      if (++this.commits === this.killAtCommit) {
        this.provider.kills += 1;
        throw new Killed('killed');
      }
    };
    return {
      runs: new MortalRuns(this.test.database, isDead, countCommit),
      offerOf: () => Promise.resolve({ driver: this.provider, isOffered: this.isOffered }),
      pollMs: 15_000,
      logger: createLogger({ service: 'worker', level: 'silent' }),
      onUnmetered: (seconds) => {
        this.unmeteredSeconds += seconds;
      },
      onPollFailure: () => {
        this.pollFailures += 1;
      },
    };
  }
}

/** A killed worker commits and postpones nothing: it is gone. */
class MortalRuns extends EndpointRuns {
  constructor(
    database: Database,
    private readonly isDead: () => boolean,
    private readonly countCommit: () => void,
  ) {
    super(database);
  }

  override async advanceRun(...given: Parameters<EndpointRuns['advanceRun']>) {
    this.countCommit();
    return super.advanceRun(...given);
  }

  override async noteMade(...given: Parameters<EndpointRuns['noteMade']>): Promise<void> {
    this.countCommit();
    await super.noteMade(...given);
  }

  override async noteRemoved(...given: Parameters<EndpointRuns['noteRemoved']>): Promise<void> {
    this.countCommit();
    await super.noteRemoved(...given);
  }

  override async postpone(...given: Parameters<EndpointRuns['postpone']>): Promise<void> {
    if (!this.isDead()) await super.postpone(...given);
  }
}
