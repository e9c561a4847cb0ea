import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { apiKeyHash, visiblePrefix } from '@svc/access';
import { ApiKeyStore } from '@svc/access/store';
import { UnitOfWork } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { addressListOf, type TrustedProxies } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { eventually } from '@svc/testing';
import { CHAT, startEdge, type EdgeUnderTest } from '../testing/edge-under-test';

const ALLOWED = '203.0.113.7';
const ELSEWHERE = '198.51.100.1';
const BODY = JSON.stringify(CHAT);
const forwarded = (value: string) => `X-Forwarded-For: ${value}`;

let test: TestDatabase;
beforeAll(async () => {
  test = await openTestDatabase();
});
afterAll(() => test.close());

/** One call, byte for byte; the whole answer, and what of it is the same for each such call. */
async function call(
  edge: EdgeUnderTest,
  key: string,
  headers: readonly string[],
  path = '/v1/chat/completions',
) {
  const socket = connect(Number(new URL(edge.url).port), '127.0.0.1');
  const isRead = path.startsWith('/v1/models');
  // Not ended: half a connection counts as a caller who left.
  socket.write(
    [
      `${isRead ? 'GET' : 'POST'} ${path} HTTP/1.1`,
      'Host: svc',
      'Connection: close',
      `x-api-key: ${key}`,
      ...(isRead ? [] : ['Content-Type: application/json', `Content-Length: ${String(BODY.length)}`]),
      ...headers,
      '',
      isRead ? '' : BODY,
    ].join('\r\n'),
    'latin1',
  );
  const answer = await text(socket);
  const same = answer.replace(/req_\w+/g, 'req_').replace(/^date: .*$/im, 'date:');
  return { status: Number(answer.slice(9, 12)), same };
}

async function setAllowedIps(organizationId: string, allowedIps: readonly string[] | null): Promise<string> {
  const { id } = await test.database.prisma.apiKey.findFirstOrThrow({
    where: { organizationId, state: 'active' },
  });
  const keys = new ApiKeyStore(test.database);
  await new UnitOfWork(test.database).transaction((tx) => keys.setAllowedIps(tx, id, allowedIps));
  return id;
}

async function newRevokedKey(organizationId: string): Promise<string> {
  const secret = `svc_sk_${systemIds('apiKey')}`;
  const shown = { name: 'Revoked', prefix: visiblePrefix(secret), scopes: ['inference:invoke'] };
  await test.database.prisma.apiKey.create({
    data: {
      ...{ ...shown, id: systemIds('apiKey'), organizationId, state: 'revoked', revokedAt: new Date() },
      secretSha256: Uint8Array.from(apiKeyHash(secret)),
    },
  });
  return secret;
}

/** Headers by which a thief could try to come from an allowed address. The last entry is what the proxy appends. */
const hostile: readonly (readonly [string, ...string[]])[] = [
  ['the leftmost entry', forwarded(`${ALLOWED}, ${ELSEWHERE}`)],
  ['many entries', forwarded(`${ALLOWED}, ${ALLOWED}, ${ALLOWED}, ${ELSEWHERE}`)],
  ['the header twice', forwarded(ALLOWED), forwarded(ELSEWHERE)],
  ['the header twice in other letters', `x-forwarded-for: ${ALLOWED}`, `X-FORWARDED-FOR: ${ELSEWHERE}`],
  ['a proxy’s address before it', forwarded(`${ALLOWED}, ${ELSEWHERE}, 127.0.0.2`)],
  ['a port', forwarded(`${ALLOWED}:443`)],
  ['brackets', forwarded(`[${ALLOWED}]`)],
  ['brackets and a port', forwarded('[2001:db8::7]:443')],
  ['a zone', forwarded('2001:db8::7%eth0')],
  ['a zone of a mapped address', forwarded(`::ffff:${ALLOWED}%1`)],
  ['an octal part', forwarded('0313.0.113.7')],
  ['a leading zero', forwarded('203.0.113.07')],
  ['hexadecimal parts', forwarded('0xcb.0x0.0x71.0x7')],
  ['one decimal number', forwarded('3405803783')],
  ['three parts', forwarded('203.0.28935')],
  ['a dot at its end', forwarded(`${ALLOWED}.`)],
  ['a prefix', forwarded(`${ALLOWED}/32`)],
  ['quotes', forwarded(`"${ALLOWED}"`)],
  ['the syntax of Forwarded', forwarded(`for=${ALLOWED}`)],
  ['an address and a word', forwarded(`${ALLOWED} unknown`)],
  ['two addresses without a comma', forwarded(`${ALLOWED} ${ELSEWHERE}`)],
  ['a semicolon', forwarded(`${ALLOWED};${ELSEWHERE}`)],
  ['a space that is none of HTTP', forwarded(`${ALLOWED}\u00a0`)],
  ['an entry that is empty', forwarded(`${ALLOWED},`)],
  ['the mapped form of another address', forwarded('::ffff:198.51.100.1')],
  ['the compatible form', forwarded(`::${ALLOWED}`)],
  ['the translated form', forwarded(`64:ff9b::${ALLOWED}`)],
  ['the form of 6to4', forwarded('2002:cb00:7107::')],
  ['a name', forwarded('localhost')],
  ['no header', 'X-Nothing: at all'],
  ['an empty header', forwarded('')],
  ['Forwarded', `Forwarded: for=${ALLOWED}`, forwarded(ELSEWHERE)],
  [
    'headers of other proxies',
    `X-Real-IP: ${ALLOWED}`,
    `True-Client-IP: ${ALLOWED}`,
    `CF-Connecting-IP: ${ALLOWED}`,
  ],
  ['a header with underscores', `X_Forwarded_For: ${ALLOWED}`, forwarded(ELSEWHERE)],
];

describe('a key that some addresses may show', () => {
  let edge: EdgeUnderTest;
  let keyId: string;
  let revoked: string;
  beforeAll(async () => {
    const proxies = addressListOf(['127.0.0.0/8']);
    edge = await startEdge({ database: test.database, upstreamUrls: [], proxies });
    keyId = await setAllowedIps(edge.organizationId, [ALLOWED, '2001:db8::/64']);
    revoked = await newRevokedKey(edge.organizationId);
  });
  afterAll(() => edge.close());

  it.each([
    ALLOWED,
    `::ffff:${ALLOWED}`,
    '::FFFF:cb00:7107',
    '2001:db8::7',
    `${ELSEWHERE}, ${ALLOWED}, 127.0.0.9`,
  ])('is let in from %s', async (address) => {
    expect((await call(edge, edge.apiKey, [forwarded(address)], '/v1/models')).status).toBe(200);
    // The model has no endpoint: the call got as far as its plan.
    expect((await call(edge, edge.apiKey, [forwarded(address)])).status).not.toBe(401);
  });

  it.each(hostile)('is not let in by %s: the answer is that of a revoked key', async (_, ...headers) => {
    const dead = await call(edge, revoked, headers);
    const answer = await call(edge, edge.apiKey, headers);
    expect([answer.status, answer.same]).toEqual([401, dead.same]);
  });

  it.each([
    '/v1/models',
    '/v1/models/acme/small',
    '/v1/messages',
    '/v1/v1/messages',
    '/v1/messages/count_tokens',
    '/v1/responses',
    '/v1/embeddings',
  ])('is not let in at %s either', async (path) => {
    const dead = await call(edge, revoked, [forwarded(ELSEWHERE)], path);
    const answer = await call(edge, edge.apiKey, [forwarded(ELSEWHERE)], path);
    expect([answer.status, answer.same]).toEqual([401, dead.same]);
  });

  it('leaves the owner one event, and nothing that shows it was used', async () => {
    const { organizationId } = edge;
    await eventually(async () => {
      const events = await test.database.prisma.outboxEvent.findMany({
        where: { organizationId, type: 'api_key.address_refused' },
      });
      expect(events.map(({ payload }) => payload)).toEqual([expect.stringContaining(keyId)]);
    });
  });
});

describe('a list of addresses', () => {
  const startWith = async (proxies: TrustedProxies) => {
    const own = await openTestDatabase();
    const edge = await startEdge({ database: own.database, upstreamUrls: [], proxies });
    const keys = new ApiKeyStore(own.database);
    const { id } = await own.database.prisma.apiKey.findFirstOrThrow();
    const allow = (list: readonly string[] | null) =>
      new UnitOfWork(own.database).transaction((tx) => keys.setAllowedIps(tx, id, list));
    const statusOf = async (...headers: string[]) =>
      (await call(edge, edge.apiKey, headers, '/v1/models')).status;
    const close = async () => {
      await edge.close();
      await own.close();
    };
    return { allow, statusOf, close };
  };

  it('holds for a key that the edge knows already, and ends with null; an empty one lets nobody in', async () => {
    const { allow, statusOf, close } = await startWith(0);
    expect(await statusOf()).toBe(200);
    await allow([]);
    await eventually(async () => expect(await statusOf()).toBe(401));
    await allow(['127.0.0.1']);
    await eventually(async () => expect(await statusOf()).toBe(200));
    await allow(['10.0.0.0/8']);
    await eventually(async () => expect(await statusOf()).toBe(401));
    await allow(null);
    await eventually(async () => expect(await statusOf()).toBe(200));
    await close();
  });

  it('goes by the connection where it is direct, whatever headers say', async () => {
    const { allow, statusOf, close } = await startWith(addressListOf(['10.0.0.0/8']));
    await allow([ALLOWED]);
    await eventually(async () => expect(await statusOf(forwarded(ALLOWED))).toBe(401));
    await allow(['127.0.0.1']);
    await eventually(async () => expect(await statusOf(forwarded(ELSEWHERE))).toBe(200));
    await close();
  });
});
