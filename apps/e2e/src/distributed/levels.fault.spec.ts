import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { eventually } from '@svc/testing';
import { rowsOf } from '../harness/database-session';
import { RecordingReceiver } from '../harness/recording-receiver';
import { QUOTE_ME } from './billing-upstream';
import { CHAT, MESSAGES } from './lanes';
import { expectBalanced, openBooks } from './proven-books';
import { newKey, of, type InferenceKey, type Tenant } from './tenant';
import { callOf, countOf, crowd, MODELS, newBudget, REFUSED, threeEdges, type Sent } from './three-edges';

const PLANTED = 1_000;

const three = threeEdges();
let receiver: RecordingReceiver;
beforeAll(async () => {
  receiver = await RecordingReceiver.start();
});
afterAll(() => {
  receiver.close();
});

describe('a budget of each end user, over three edges', () => {
  it('sends none of 8 first calls at once of an unknown end user, whom it pays too little for one', async () => {
    const tenant = await three.newTenant();
    const { secret } = await newKey(three.svc, tenant);
    await newBudget(three.svc, tenant, { scope: 'end_user', scope_id: '*', amount_nanos: three.hold - 1 });
    const before = three.upstream.received();
    for (let round = 0; round < 10; round++) {
      const headers = { 'svc-end-user': `person-${String(round)}` };
      const outcomes = await crowd(Array.from({ length: 8 }), (_, nth) =>
        three.send(nth, secret, { headers }),
      );
      expect(countOf(outcomes)).toEqual({ [REFUSED]: 8 });
    }
    expect(three.upstream.received()).toBe(before);
  });
});

describe('a key that only one address may show, over three edges', () => {
  const ALLOWED = '203.0.113.7';
  const ELSEWHERE = '198.51.100.1';
  let key: InferenceKey;
  let dead: InferenceKey;
  beforeAll(async () => {
    const tenant = await three.newTenant();
    key = await newKey(three.svc, tenant, { policy: { allowed_ips: [ALLOWED] } });
    dead = await newKey(three.svc, tenant);
    of(204, await three.api(tenant, 'DELETE', `/keys/${dead.id}`));
  });

  /** The whole answer, byte for byte, but for what differs in any two answers: its id and its time. */
  async function answerAt(nth: number, secret: string, address: string): Promise<string> {
    const body = JSON.stringify(callOf(MODELS[0]));
    const socket = connect(Number(new URL(three.svc.edges[nth % 3]!.url).port), '127.0.0.1');
    socket.write(
      [
        `POST ${CHAT} HTTP/1.1`,
        ...['Host: svc', 'Connection: close', `Authorization: Bearer ${secret}`],
        ...[`X-Forwarded-For: ${address}`, 'Content-Type: application/json'],
        ...[`Content-Length: ${String(body.length)}`, '', body],
      ].join('\r\n'),
    );
    return (await text(socket)).replace(/req_\w+/g, 'req_').replace(/^date: .*$/im, 'date:');
  }

  it('is let in from there, and answered from elsewhere as a revoked one is, byte for byte', async () => {
    for (const nth of [0, 1, 2]) {
      expect(await answerAt(nth, key.secret, ALLOWED)).toMatch(/^HTTP\/1\.1 200 /);
      const refused = await eventually(async () => {
        const answer = await answerAt(nth, dead.secret, ALLOWED);
        expect(answer).toMatch(/^HTTP\/1\.1 401 /);
        return answer;
      });
      expect(await answerAt(nth, key.secret, ELSEWHERE)).toBe(refused);
      expect(await answerAt(nth, key.secret, `${ALLOWED}, ${ELSEWHERE}`)).toBe(refused);
    }
  });
});

describe('a policy that keeps nothing, over three edges', () => {
  const PREFIX = 'planted-';
  const planted = Array.from(
    { length: PLANTED },
    (_, nth) => `${PREFIX}${String(nth).padStart(5, '0')}@example.com`,
  );

  /** Every way to name an end user in turn. */
  const waysToName: readonly ((name: string) => Sent)[] = [
    (name) => ({ headers: { 'svc-end-user': name } }),
    (name) => ({ body: callOf(MODELS[0], { user: name }) }),
    (name) => ({ body: callOf(MODELS[0], { safety_identifier: name }) }),
    (name) => ({ path: MESSAGES, body: callOf(MODELS[0], { metadata: { user_id: name } }) }),
    (name) => ({
      path: MESSAGES,
      body: callOf(MODELS[0], {
        metadata: { user_id: JSON.stringify({ device_id: name, session_id: 'one' }) },
      }),
    }),
  ];
  const namedIn = (name: string, nth: number) => waysToName[nth % waysToName.length]!(name);

  it(`leaves none of ${String(PLANTED)} names in the database, the logs and the events, and budgets are exact`, async () => {
    const tenant = await three.newTenant();
    of(200, await three.api(tenant, 'PUT', '/policy', { retention: 'none' }));
    const { secret } = await newKey(three.svc, tenant);
    of(
      201,
      await three.api(tenant, 'POST', '/webhook-endpoints', {
        url: `${receiver.origin}/all`,
        event_types: [],
      }),
    );
    // One call of each fits, whatever the length of its body, and two never do.
    const each = {
      scope: 'end_user',
      scope_id: '*',
      amount_nanos: Math.floor(1.5 * three.hold),
      warn_at_bps: 100,
    };
    const budget = await newBudget(three.svc, tenant, each);

    const calls = planted.flatMap((name, nth) => [0, 1].map(() => ({ name, nth })));
    const outcomes = await crowd(calls, ({ name, nth }, at) => three.send(at, secret, namedIn(name, nth)));
    expect(countOf(outcomes)).toEqual({ '200': PLANTED, [REFUSED]: PLANTED });
    for (const nth of planted.keys()) {
      expect([outcomes[2 * nth], outcomes[2 * nth + 1]].toSorted()).toEqual(['200', REFUSED]);
    }
    await otherCalls(secret);
    await askAbout(tenant, budget);

    const audit = await openBooks(three.svc, tenant);
    await expectBalanced(audit);
    await audit.close();
    const spends = of(200, await three.api(tenant, 'GET', `/budgets/${budget}/spends`)).data as object[];
    expect(spends.length).toBe(Math.min(1_000, PLANTED));
    for (const row of spends) expect(row).toMatchObject({ name: null, reserved_nanos: 0 });
    await eventually(() => {
      expect(eventsOf('budget.exceeded')).not.toHaveLength(0);
    }, 90_000);

    // The search finds names where a policy keeps them.
    const other = await newKey(three.svc, await three.newTenant());
    expect(await three.send(0, other.secret, { headers: { 'svc-end-user': 'kept-person' } })).toBe('200');
    await eventually(async () => {
      expect(await tablesWith('kept-person')).toEqual(
        expect.arrayContaining(['usage_end_users', expect.stringMatching(/^request_records/)]),
      );
    });
    expect(await tablesWith(PREFIX)).toEqual([]);
    expect(
      three.svc
        .logs()
        .split('\n')
        .filter((line) => line.includes(PREFIX)),
    ).toEqual([]);
    expect(receiver.calls.filter(({ body }) => body.includes(PREFIX))).toEqual([]);
  });

  const eventsOf = (type: string) => receiver.at('/all').filter(({ body }) => body.includes(type));

  /** Calls that end in other ways: refused by the provider in the caller's words, of an unknown model, keyed, and replayed. */
  async function otherCalls(secret: string): Promise<void> {
    for (const nth of waysToName.keys()) {
      const way = (what: string) => namedIn(`${PREFIX}${what}-${String(nth)}`, nth);
      const withMore = (what: string, more: object) => {
        const { body = callOf(MODELS[0]), ...sent } = way(what);
        return { ...sent, body: { ...body, ...more } };
      };
      const messages = [{ role: 'user', content: QUOTE_ME }];
      expect(await three.send(nth, secret, withMore('quoted', { messages }))).toMatch(
        /^400 provider_http_400/,
      );
      expect(await three.send(nth, secret, withMore('lost', { model: 'made/up' }))).toBe(
        '404 not_found model',
      );
      const { headers, ...keyed } = way('keyed');
      const key = { ...headers, 'idempotency-key': `keyed-${String(nth)}` };
      for (const at of [0, 1])
        expect(await three.send(nth + at, secret, { ...keyed, headers: key })).toBe('200');
    }
  }

  /** The management API takes names too. */
  async function askAbout(tenant: Tenant, budget: string): Promise<void> {
    const [name] = planted;
    const own = { scope: 'end_user', scope_id: name, period: 'day', amount_nanos: 1_000 * three.hold };
    await newBudget(three.svc, tenant, own);
    for (const path of [
      `/requests?end_user=${name!}`,
      `/usage?group_by=end_user&end_user=${name!}`,
      `/budgets/${budget}/spends?scope_id=${name!}`,
      `/budgets?scope=end_user&scope_id=${name!}`,
    ]) {
      expect((of(200, await three.api(tenant, 'GET', path)) as { data: object[] }).data).toHaveLength(1);
    }
  }
});

/** The tables in which a text is, as it is or in bytes. */
async function tablesWith(part: string): Promise<readonly string[]> {
  const { databaseUrl } = three.svc;
  const tables = await rowsOf<{ name: string }>(
    databaseUrl,
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await rowsOf<{ has: boolean }>(
      databaseUrl,
      `SELECT EXISTS (SELECT FROM ${name} AS whole_row
         WHERE strpos(whole_row::text, $1::text) > 0
           OR strpos(whole_row::text, encode(convert_to($1::text, 'UTF8'), 'hex')) > 0) AS has`,
      [part],
    );
    if (row?.has === true) found.push(name.replace('public.', ''));
  }
  return found;
}
