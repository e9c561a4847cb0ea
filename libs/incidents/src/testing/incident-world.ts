import { parseCatalog, type Catalog } from '@svc/catalog';
import { UnitOfWork, type Database } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemIds } from '@svc/runtime';
import { createLogger } from '@svc/runtime/observability';
import { type IncidentStanding } from '../rules/incident';
import { type IncidentRecord, IncidentStore } from '../store/incident-store';
import { IncidentFanOut } from '../work/incident-fan-out';
import { type CatalogFacts } from '../work/catalog-facts';
import { tellIncidents } from '../work/tell-incidents';

const ENDPOINT = `    upstream_model: x
    region: eu
    data_retention: zero
    operations: [chat_completions]
    prices: {input: 1, output: 1}
`;

/** `m/both` is at both providers, `m/acme` at one. */
const CATALOG = `
providers:
  - {name: acme, protocol: openai, base_url: "http://acme", credential_env: ACME_KEY}
  - {name: beta, protocol: openai, base_url: "http://beta", credential_env: BETA_KEY}
models:
  - {id: m/both, display_name: Both, context_window: 1000, max_output_tokens: 100}
  - {id: m/acme, display_name: Acme, context_window: 1000, max_output_tokens: 100}
endpoints:
  - model: m/both
    provider: acme
${ENDPOINT}  - model: m/both
    provider: beta
${ENDPOINT}  - model: m/acme
    provider: acme
${ENDPOINT}`;

type NewIncident = Parameters<IncidentStore['createIncident']>[1];

/** Incidents, calls and circuits over a database of its own. */
export class IncidentWorld {
  readonly store: IncidentStore;
  readonly logger = createLogger({ service: 'worker', level: 'silent' });
  readonly catalog: Catalog = parseCatalog(CATALOG, { file: 'catalog.yaml', env: {} });
  readonly models: CatalogFacts = { catalog: () => this.catalog, hasPlatformCredential: () => true };
  private readonly unitOfWork: UnitOfWork;

  private constructor(readonly test: TestDatabase) {
    this.store = new IncidentStore(test.database);
    this.unitOfWork = new UnitOfWork(test.database);
  }

  static async open(): Promise<IncidentWorld> {
    return new IncidentWorld(await openTestDatabase());
  }

  get database(): Database {
    return this.test.database;
  }

  close(): Promise<void> {
    return this.test.close();
  }

  async addOrganizations(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => systemIds('organization')).sort();
    await this.database.background.query(
      `INSERT INTO organizations (id, name) SELECT unnest($1::text[]), 'Acme'`,
      [ids],
    );
    return ids;
  }

  incident(fields: Partial<NewIncident> = {}): Promise<IncidentRecord> {
    const created: NewIncident = {
      id: systemIds('incident'),
      title: 'Slow answers',
      source: 'operator',
      audience: 'all',
      organizationIds: [],
      subject: null,
      idempotency: null,
      startedAt: new Date(),
      message: 'We look into it.',
      state: 'investigating',
      severity: 'major',
      components: ['inference'],
      providers: [],
      models: [],
      ...fields,
    };
    return this.unitOfWork.transaction((tx) => this.store.createIncident(tx, created, new Date()));
  }

  update(id: string, change: Partial<IncidentStanding>): Promise<IncidentRecord> {
    return this.unitOfWork.transaction(async (tx) => {
      const before = await this.store.lockIncident(tx, id);
      if (before === null) throw new Error('there is no such incident');
      const { state, severity, components, providers, models } = before;
      const standing = { state, severity, components, providers, models, ...change };
      const rest = { message: 'It goes on.', managed: before.source === 'automatic', quietSince: null };
      return this.store.updateIncident(tx, before, { ...standing, ...rest }, new Date());
    });
  }

  /** Does all that is due, as one worker. */
  async tell(fanOut = new IncidentFanOut(this.database)): Promise<void> {
    while ((await tellIncidents(fanOut, this.models, this.logger)).more);
  }

  /** As if the time for another search had passed. */
  async nextLook(): Promise<void> {
    await this.database.pool.query(
      `UPDATE incidents SET due_at = now(), looked_until = looked_until - interval '30 s' WHERE due_at IS NOT NULL`,
    );
  }

  /** Type and state of the events of each organization, in the order in which the relay sends them. */
  async heard(): Promise<ReadonlyMap<string, readonly string[]>> {
    const { rows } = await this.database.pool.query<{
      organization_id: string;
      type: string;
      payload: string;
    }>('SELECT organization_id, type, payload FROM outbox_events ORDER BY id');
    const heard = new Map<string, string[]>();
    for (const { organization_id: id, type, payload } of rows) {
      const { data } = JSON.parse(payload) as { data: { state: string } };
      heard.set(id, [...(heard.get(id) ?? []), `${type.replace('incident.', '')} ${data.state}`]);
    }
    return heard;
  }

  /** A minute of an organization in which it called, or only tried, a provider. */
  async called(
    organizationId: string,
    {
      model = 'm/both',
      provider = 'acme',
      calls = 1,
      minutesAgo = 1,
    }: { model?: string; provider?: string; calls?: number; minutesAgo?: number } = {},
  ): Promise<void> {
    await this.database.pool.query(
      `INSERT INTO call_minutes (organization_id, minute, project_id, api_key_id, model, provider, writer_id, calls,
         failures, cancelled, tries, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens,
         reasoning_tokens, spent_nanos, duration_bounds, duration_counts, ttft_bounds, ttft_counts)
       VALUES ($1, date_trunc('minute', now()) - $5 * interval '1 min', '', 'key_1', $2, $3, gen_random_uuid(), $4,
         0, 0, 1, 0, 0, 0, 0, 0, 0, '{}', '{}', '{}', '{}')`,
      [organizationId, model, provider, calls, minutesAgo],
    );
  }

  /** The report of an edge on the circuit of an endpoint. @param openSeconds null for a closed one. */
  async circuit(model: string, provider: string, openSeconds: number | null): Promise<void> {
    const endpoint = this.catalog.models
      .get(model)
      ?.endpoints.find((each) => each.provider.name === provider);
    await this.database.pool.query(
      `INSERT INTO edge_instances (id, lease_until) VALUES ('edge_1', now() + interval '1 hour')
       ON CONFLICT (id) DO NOTHING`,
    );
    await this.database.pool.query(
      `INSERT INTO circuit_reports (endpoint_id, edge_instance_id, model, provider, open_since, planned_at, reported_at)
       VALUES ($1, 'edge_1', $2, $3, now() - $4 * interval '1 s', now(), now())
       ON CONFLICT (endpoint_id, edge_instance_id) DO UPDATE SET open_since = excluded.open_since,
         planned_at = now(), reported_at = now()`,
      [endpoint?.id, model, provider, openSeconds],
    );
  }
}
