import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@svc/testing';
import { completes, errorOf } from '../testing/answers';
import { catalogOf, CHAT } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

/** Less than the TTL of 10 s, by which an edge learns of a change that is not notified. */
const HEARD_WITHIN_MS = 8_000;
const NOT_HEARD_MS = 200;

const world = edgeWorld();
beforeEach(async () => {
  const catalog = JSON.parse(catalogOf([world.upstream.url])) as { providers: object[] };
  Object.assign(catalog.providers[0]!, { credential_env: 'UPSTREAM_KEY' });
  await world.start({
    catalog: JSON.stringify(catalog),
    environment: { UPSTREAM_KEY: 'sk-of-the-platform' },
  });
  await eventually(async () => {
    expect(await feedProcess()).toBeDefined();
  });
});

const sql = (text: string, values: unknown[] = []) => world.database.pool.query(text, values);
/** The backend process of the edge's change feed, once it listens. */
const feedProcess = async (): Promise<number | undefined> => {
  const { rows } = await sql(
    `SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'`,
  );
  return (rows as { pid: number }[])[0]?.pid;
};
const chat = (headers: Record<string, string> = {}) =>
  world.edge.post('/v1/chat/completions', CHAT, { headers });
/** A call that may be refused: the next one takes the answer then. */
const answered = (headers?: Record<string, string>): Promise<Response> => {
  world.upstream.next(completes());
  return chat(headers);
};
const served = async (headers?: Record<string, string>): Promise<Response> => {
  const response = await answered(headers);
  expect(response.status).toBe(200);
  return response;
};
const onceHeard = <T>(assertion: () => Promise<T>): Promise<T> => eventually(assertion, HEARD_WITHIN_MS);
const refused = (headers?: Record<string, string>) =>
  onceHeard(async () => {
    const response = await answered(headers);
    expect(response.status).not.toBe(200);
    return errorOf(response);
  });
const limitHeard = (limit: string) =>
  onceHeard(async () => {
    expect((await answered()).headers.get('x-ratelimit-limit')).toBe(limit);
  });
const projectId = async (): Promise<string> => {
  const { rows } = await sql('SELECT id FROM projects');
  return (rows as { id: string }[])[0]!.id;
};

describe('a change that is committed', () => {
  it('of a key: a revoked one is refused by the next call', async () => {
    await served();
    await sql(`UPDATE api_keys SET state = 'revoked', revoked_at = now()`);
    expect(await refused()).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  it('of a key’s limit shows in the headers of the next call', async () => {
    expect((await served()).headers.get('x-ratelimit-limit')).toBe('600');
    await sql('UPDATE api_keys SET rate_limit_rpm = 7');
    await limitHeard('7');
  });

  it('of an organization: its ceiling and its suspension reach every key of it', async () => {
    await served();
    await sql('UPDATE organizations SET rate_limit_rpm = 5');
    await limitHeard('5');
    await sql(`UPDATE organizations SET state = 'suspended'`);
    expect(await refused()).toMatchObject({ status: 401, code: 'invalid_api_key' });
  });

  it('of the policy: a new version is applied to the next call', async () => {
    await served();
    await sql(
      `INSERT INTO policy_versions (id, organization_id, version, document)
       VALUES ('pol_1', $1, 1, '{"denied_models": ["acme/small"]}')`,
      [world.edge.organizationId],
    );
    expect(await refused()).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('of a provider credential: the next call is made with the one that was stored', async () => {
    await served();
    await world.storeCredential('upstream-1', 'cred_1', 'sk-of-acme');
    const keys = () => world.upstream.received.map(({ headers }) => headers.authorization);
    expect(keys()).toEqual(['Bearer sk-of-the-platform']);
    await onceHeard(async () => {
      await served();
      expect(keys().at(-1)).toBe('Bearer sk-of-acme');
    });
  });
});

describe('a project that is archived', () => {
  it('is unknown to the next call that names it', async () => {
    const headers = { 'x-svc-project': await projectId() };
    await served(headers);
    await sql(`UPDATE projects SET state = 'archived'`);
    expect(await refused(headers)).toEqual({ status: 404, code: 'not_found', param: 'X-Svc-Project' });
    await served();
    await sql(`UPDATE projects SET state = 'active'`);
    await onceHeard(() => served(headers));
  });

  it('stops its own keys too', async () => {
    await sql('UPDATE api_keys SET project_id = $1', [await projectId()]);
    await served();
    await sql(`UPDATE projects SET state = 'archived'`);
    expect(await refused()).toEqual({ status: 404, code: 'not_found', param: 'Compat-Project' });
  });
});

describe('a feed that lost its connection', () => {
  it('reconnects, and the edge invalidates all its caches', async () => {
    await served();
    const before = await feedProcess();
    // A change without a notification, as if it was made while the connection was down.
    await sql('ALTER TABLE api_keys DISABLE TRIGGER tell_change');
    await sql(`UPDATE api_keys SET state = 'revoked'`);
    await pause(NOT_HEARD_MS);
    await served();
    await sql('SELECT pg_terminate_backend($1)', [before]);
    await eventually(async () => {
      expect([undefined, before]).not.toContain(await feedProcess());
    });
    expect(await refused()).toMatchObject({ status: 401 });
    await sql(`ALTER TABLE api_keys ENABLE TRIGGER tell_change; UPDATE api_keys SET state = 'active'`);
    await onceHeard(() => served());
  });
});
