import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { openServiceDatabase } from '@svc/database';
import { openTestDatabase, startSilentProxy, type TestDatabase } from '@svc/database/testing';
import { createSealer } from '@svc/runtime';
import { eventually } from '@svc/testing';
import { newSigningKey } from '../../access-tokens/signing-key';
import { SigningKeyStore } from './signing-key-store';

const masterKey = Buffer.alloc(32, 1);
const PASSWORD = 'hunter2';

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
  await new SigningKeyStore(test.database, createSealer(masterKey)).rotateKeys(newSigningKey);
});
afterAll(() => test.close());

const said: { server: string; reason: string }[] = [];
const logger = {
  warn: (fields: unknown, message: unknown) => {
    expect(message).toBe('waiting for PostgreSQL');
    said.push(fields as { server: string; reason: string });
  },
} as unknown as Parameters<typeof openServiceDatabase>[0]['logger'];
const servers: Server[] = [];
beforeEach(() => said.splice(0));
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const start = (url: string, timeoutMs?: number) =>
  openServiceDatabase({
    ...{ url, poolSize: 2, masterKey, logger },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
/** The one line of a failed start. */
const failedStart = (url: string, timeoutMs?: number): Promise<string> =>
  start(url, timeoutMs).then(
    () => 'It started.',
    (error: unknown) => (error as Error).message,
  );

async function listen(port: number, onConnection: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onConnection).listen(port, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return server;
}
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
/** The URL of the test database, with this local port in place of its own. */
const urlAt = (
  port: number,
  changes: Partial<Pick<URL, 'password' | 'pathname' | 'search'>> = {},
): string => {
  const url = new URL(test.url);
  return Object.assign(url, { hostname: '127.0.0.1', port: String(port) }, changes).href;
};
const pass = (client: Socket): void => {
  const { hostname, port } = new URL(test.url);
  const upstream = connect(Number(port), hostname);
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy());
  }
};

describe('a service', () => {
  it('whose PostgreSQL comes later waits for it, and names it without its password', async () => {
    const reserved = await listen(0, () => undefined);
    const port = portOf(reserved);
    reserved.close();
    const starting = start(urlAt(port));
    await eventually(() => expect(said.length).toBeGreaterThan(0));
    await listen(port, pass);
    const database = await starting;
    expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    expect(said.length).toBeGreaterThan(0);
    expect(said.length).toBeLessThanOrEqual(2);
    expect(said[0]).toEqual({
      server: `127.0.0.1:${String(port)}`,
      reason: expect.stringContaining('ECONNREFUSED') as string,
    });
    expect(JSON.stringify(said)).not.toContain(new URL(test.url).password);
    await database.close();
  });

  it('whose PostgreSQL accepts and answers nothing until later waits for it', async () => {
    const proxy = await startSilentProxy(test.url);
    proxy.silence('both');
    const starting = start(proxy.url);
    await eventually(() => expect(said).toHaveLength(1));
    proxy.resume();
    await (await starting).close();
    expect(said).toHaveLength(1);
    await proxy.close();
  });

  it('whose PostgreSQL never answers ends with one line that names the variable, the server and the cause', async () => {
    const port = portOf(await listen(0, () => undefined));
    expect(await failedStart(urlAt(port, { password: PASSWORD }), 4_000)).toMatch(
      new RegExp(
        `^SVC_DATABASE_URL: PostgreSQL at 127\\.0\\.0\\.1:${String(port)} did not answer for 4 s: .*timeout.*$`,
      ),
    );
    expect(JSON.stringify(said)).not.toContain(PASSWORD);
  });

  it('whose PostgreSQL is nowhere ends with one line as well', async () => {
    const url = urlAt(1, { password: PASSWORD });
    expect(await failedStart(url, 1_000)).toBe(
      'SVC_DATABASE_URL: PostgreSQL at 127.0.0.1:1 did not answer for 1 s: connect ECONNREFUSED 127.0.0.1:1',
    );
  });
});

describe('a service whose PostgreSQL refuses it ends at once', () => {
  const ownPort = () => Number(new URL(test.url).port);

  it.each([
    ['a password', '28P01', 'password authentication failed for user "svc"'],
    ['an address', '28000', 'no pg_hba.conf entry for host "10.0.0.1"'],
  ])('for %s', async (_, code, message) => {
    const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
    const length = Buffer.alloc(4);
    length.writeInt32BE(fields.length + 4);
    const server = await listen(0, (socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, fields])));
    });
    const url = urlAt(portOf(server), { password: PASSWORD });
    const line = await failedStart(url);
    expect(line).toBe(`SVC_DATABASE_URL: PostgreSQL at 127.0.0.1:${new URL(url).port} refuses: ${message}`);
    expect(said).toEqual([]);
  });

  it('for a database that is not there', async () => {
    const line = await failedStart(urlAt(ownPort(), { pathname: '/nowhere' }));
    expect(line).toMatch(/^SVC_DATABASE_URL: .* refuses: database "nowhere" does not exist$/);
    expect(said).toEqual([]);
  });

  it('for TLS', async () => {
    const line = await failedStart(urlAt(ownPort(), { search: '?sslmode=verify-full' }));
    expect(line).toMatch(/^SVC_DATABASE_URL: .* refuses: The server does not support SSL connections$/);
    expect(said).toEqual([]);
  });

  it('and for another master key, which is not the server’s refusal', async () => {
    const wrong = openServiceDatabase({ url: test.url, poolSize: 2, masterKey: Buffer.alloc(32, 2), logger });
    await expect(wrong).rejects.toThrow(/^SVC_MASTER_KEY does not open/);
    expect(said).toEqual([]);
  });
});
