import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createLogger } from '@svc/runtime/observability';
import { eventually } from '@svc/testing';
import { type Database, openDatabase } from '../database/database';
import { openTestDatabase, type TestDatabase } from '../testing';
import { type Change } from './change';
import { ChangeFeed, type ChangeFeedOptions } from './change-feed';

const logger = createLogger({ service: 'database-spec', level: 'silent' });
const organizationId = 'org_1';
const NEVER_MS = 2 ** 30;

let test: TestDatabase;
let told: Change[];
let marks = 0;
let feeds: ChangeFeed[];
const sql = (text: string, values: unknown[] = []) => test.database.pool.query(text, values);
const start = (options: Partial<ChangeFeedOptions> = {}): ChangeFeed => {
  const feed = new ChangeFeed({
    database: test.database,
    logger,
    tell: (change) => told.push(change),
    ...options,
  });
  feed.start();
  feeds.push(feed);
  return feed;
};
/** Every change told so far. A change committed before this call is among them. */
const toldUntilNow = async (): Promise<Change[]> => {
  const mark: Change = { of: 'policy', organizationId: `mark ${String(++marks)}` };
  await sql(`SELECT pg_notify('svc_changes', $1)`, [
    JSON.stringify({ table: 'policy_versions', organization_id: mark.organizationId }),
  ]);
  return eventually(() => {
    expect(told).toContainEqual(mark);
    const before = told.filter(({ of }) => of !== 'anything').slice(0, -1);
    told = [];
    return before;
  });
};
const listening = (times = 1) =>
  eventually(() => {
    expect(told.filter(({ of }) => of === 'anything')).toHaveLength(times);
  });
const feedProcesses = async (): Promise<number[]> => {
  const { rows } = await sql(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
  );
  return (rows as { pid: number }[]).map(({ pid }) => pid);
};

beforeEach(async () => {
  told = [];
  feeds = [];
  test = await openTestDatabase();
  await sql(`INSERT INTO organizations (id, name) VALUES ($1, 'Acme')`, [organizationId]);
});
afterEach(async () => {
  await Promise.all(feeds.map((feed) => feed.stop()));
  await test.close();
});

const HASHES = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
const keyChange = (hash: Buffer): Change => ({
  of: 'apiKey',
  organizationId,
  keySha256: hash.toString('base64'),
});
const addKey = () =>
  sql(
    `INSERT INTO api_keys (id, organization_id, name, prefix, secret_sha256, scopes)
     VALUES ('key_1', $1, 'test', 'svc_sk_', $2, '{}')`,
    [organizationId, HASHES[0]],
  );

describe('the feed of changes', () => {
  beforeEach(async () => {
    start();
    await listening();
    told = [];
  });

  const project: Change = { of: 'project', organizationId, projectId: 'proj_1' };
  it.each<[string, string, Change]>([
    [
      'of an organization',
      `UPDATE organizations SET rate_limit_rpm = 7`,
      { of: 'organization', organizationId },
    ],
    [
      'of a usage tag, which is not all of an organization',
      `UPDATE organizations SET usage_tag = 'team', name = 'Other'`,
      { of: 'usageTag', organizationId },
    ],
    [
      'of prices, which edges read with the policy',
      `UPDATE organizations SET price_bps = 9001, own_credential_bps = 0, name = 'Other'`,
      { of: 'prices', organizationId },
    ],
    [
      'of an organization, whatever else changes',
      `UPDATE organizations SET usage_tag = 'team', state = 'suspended'`,
      { of: 'organization', organizationId },
    ],
    [
      'of a project',
      `INSERT INTO projects (id, organization_id, name) VALUES ('proj_1', 'org_1', 'P')`,
      project,
    ],
    [
      'of a policy',
      `INSERT INTO policy_versions (id, organization_id, version, document) VALUES ('pol_1', 'org_1', 1, '{}')`,
      { of: 'policy', organizationId },
    ],
    [
      'of a provider credential',
      `INSERT INTO provider_credentials (id, organization_id, provider, label, secret_ciphertext, last4)
       VALUES ('cred_1', 'org_1', 'acme', 'L', '', '1234')`,
      { of: 'providerCredentials', organizationId },
    ],
    [
      'of a tuned model',
      `INSERT INTO fine_tuned_models (name, organization_id, job_id, base_model, provider, upstream_model, region)
       VALUES ('ft-abcdefgh/m', 'org_1', 'ftjob_1', 'acme/small', 'acme', 'm', 'eu')`,
      { of: 'tunedModels', organizationId },
    ],
    [
      'of a tuned model that machines of its own serve',
      `WITH e AS (INSERT INTO fine_tuning_endpoints (id, organization_id, model, hardware, idle_stop_minutes, max_hours_hundredths, creator_id)
         VALUES ('fte_1', 'org_1', 'm', 'gpu', 60, 100, 'key_1'))
       INSERT INTO fine_tuning_endpoint_runs (id, endpoint_id, number, organization_id, model, provider, upstream_model, region, hardware,
         start_timeout_ms, price_per_hour_nanos, slice_seconds)
       VALUES ('fte_1.1', 'fte_1', 1, 'org_1', 'm', 'acme', 'm', 'eu', 'gpu', 1, 0, 1);
       UPDATE fine_tuning_endpoint_runs SET due_at = now();
       UPDATE fine_tuning_endpoint_runs SET state = 'running', running_since = now(), inference_model = 'x'`,
      { of: 'tunedModels', organizationId },
    ],
  ])('tells %s', async (_, statement, change) => {
    await sql(statement);
    expect(await toldUntilNow()).toEqual([change]);
  });

  it('tells of a key from its first day to its last, and of both hashes when its hash is replaced', async () => {
    await addKey();
    expect(await toldUntilNow()).toEqual([keyChange(HASHES[0])]);
    await sql(`UPDATE api_keys SET state = 'revoked'`);
    expect(await toldUntilNow()).toEqual([keyChange(HASHES[0])]);
    await sql('UPDATE api_keys SET secret_sha256 = $1', [HASHES[1]]);
    expect(await toldUntilNow()).toEqual([keyChange(HASHES[0]), keyChange(HASHES[1])]);
    await sql('DELETE FROM api_keys');
    expect(await toldUntilNow()).toEqual([keyChange(HASHES[1])]);
  });

  it('says nothing of a key that was merely used, and of what was merely renamed', async () => {
    await addKey();
    await toldUntilNow();
    await sql(`UPDATE organizations SET name = 'Other', updated_at = now()`);
    await test.database.prisma.apiKey.update({ where: { id: 'key_1' }, data: { lastUsedAt: new Date() } });
    expect(await toldUntilNow()).toEqual([]);
  });

  it('tells when a transaction commits, and never of one that does not', async () => {
    const client = await test.database.connectAlone();
    await client.query(`BEGIN; UPDATE organizations SET state = 'suspended'`);
    expect(await toldUntilNow()).toEqual([]);
    await client.query('COMMIT');
    expect(await toldUntilNow()).toEqual([{ of: 'organization', organizationId }]);
    await client.query(`BEGIN; UPDATE organizations SET state = 'active'; ROLLBACK`);
    expect(await toldUntilNow()).toEqual([]);
  });

  it.each(['', 'no JSON', '{"table":"planets","organization_id":"org_1"}', '{"table":"api_keys"}'])(
    'takes a payload that it does not understand for any change: %j',
    async (payload) => {
      await sql(`SELECT pg_notify('svc_changes', $1)`, [payload]);
      await listening();
    },
  );
});

describe('a feed that loses its connection', () => {
  it('comes back, says that anything may have changed, and goes on telling', async () => {
    start();
    await listening();
    const [pid] = await feedProcesses();
    await sql('SELECT pg_terminate_backend($1)', [pid]);
    await listening(2);
    await addKey();
    expect(await toldUntilNow()).toEqual([keyChange(HASHES[0])]);
    expect(await feedProcesses()).toHaveLength(1);
  });

  it('waits for a server that is not there yet', async () => {
    let refusals = 2;
    const connectAlone = () =>
      refusals-- > 0 ? Promise.reject(new Error('no server')) : test.database.connectAlone();
    start({ database: { ...test.database, connectAlone } });
    await listening();
    expect(refusals).toBe(-1);
  });

  it('notices a connection that is dead without a word', async () => {
    const proxy = await SilentProxy.start(test.url);
    const database: Database = openDatabase({ url: proxy.url, poolSize: 1 });
    const feed = start({ database, listenEveryMs: 50 });
    await listening();
    proxy.silence();
    await listening(2);
    await feed.stop();
    await database.close();
    await proxy.stop();
  });
});

describe('a feed that is stopped', () => {
  it('leaves no connection and tells nothing more', async () => {
    const feed = start();
    await listening();
    await feed.stop();
    await eventually(async () => {
      expect(await feedProcesses()).toEqual([]);
    });
    told = [];
    await addKey();
    expect(told).toEqual([]);
  });

  it('does so at once, even while it waits for a server or for its connection', async () => {
    let tries = 0;
    const noServer = () => Promise.reject(new Error('no server'));
    const connectAlone = () => (tries++, noServer());
    const away = start({ database: { ...test.database, connectAlone }, backoffMs: () => NEVER_MS });
    await eventually(() => expect(tries).toBe(1));
    const connecting = start();
    await Promise.all([away.stop(), connecting.stop()]);
    expect(told).toEqual([]);
  });
});

/** A proxy between client and server that can stop answering on its open connections. */
class SilentProxy {
  private sockets: Socket[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(databaseUrl: string): Promise<SilentProxy> {
    const url = new URL(databaseUrl);
    const target = Number(url.port);
    const server = createServer((client) => {
      const upstream = connect(target, '127.0.0.1');
      client.pipe(upstream).pipe(client);
      proxy.sockets.push(client, upstream);
      for (const socket of [client, upstream]) socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url.port = String((server.address() as AddressInfo).port);
    url.hostname = '127.0.0.1';
    const proxy = new SilentProxy(server, url.href);
    return proxy;
  }

  silence(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
