import { eventually, inParallel } from '@svc/testing';
import { rowsOf } from '../harness/database-session';
import { RecordingReceiver } from '../harness/recording-receiver';
import { expectBalanced, openBooks } from './proven-books';
import { newKey, of, type Tenant } from './tenant';
import { callOf, countOf, crowd, MODELS, newBudget, REFUSED, threeEdges } from './three-edges';

const END_USERS = 1_000;
const CALLS_EACH = 20;
const PAID_EACH = 5;
const REFUSALS = 10_000;
const SETTLED_WITHIN_MS = 30_000;
/** More calls at once than {@link PAID_EACH}. */
const CROWD = 8;

interface Caller {
  readonly secret: string;
  readonly model: string;
  readonly headers: Readonly<Record<string, string>>;
}

const SCOPES = ['organization', 'project', 'api_key', 'member', 'model', 'end_user'] as const;
type Scope = (typeof SCOPES)[number];
const PERIODS = ['day', 'week', 'month', 'quarter', 'session'];
/** Scopes of which a budget may count the calls of one project alone. */
const OF_PROJECTS: readonly Scope[] = ['member', 'model', 'end_user'];

const three = threeEdges();
let receiver: RecordingReceiver;
beforeAll(async () => {
  receiver = await RecordingReceiver.start();
});
afterAll(() => {
  receiver.close();
});

describe('a budget of each end user, over three edges', () => {
  it(`pays ${String(PAID_EACH)} of ${String(CALLS_EACH)} calls to each of ${String(END_USERS)}, whom nobody knew before`, async () => {
    const tenant = await three.newTenant();
    const { secret } = await newKey(three.svc, tenant);
    const each = { scope: 'end_user', scope_id: '*', amount_nanos: PAID_EACH * three.hold };
    const budget = await newBudget(three.svc, tenant, each);
    const before = three.upstream.received();

    // Those of one end user follow each other, so that they meet at the three edges.
    const names = Array.from({ length: END_USERS * CALLS_EACH }, (_, nth) =>
      nameOf(Math.floor(nth / CALLS_EACH)),
    );
    const outcomes = await crowd(names, (name, nth) =>
      three.send(nth, secret, { headers: { 'svc-end-user': name } }),
    );

    const served = Map.groupBy(names.keys(), (nth) => names[nth]!);
    const servedEach = [...served.values()].map(
      (nths) => nths.filter((nth) => outcomes[nth] === '200').length,
    );
    expect(new Set(servedEach)).toEqual(new Set([PAID_EACH]));
    expect(servedEach).toHaveLength(END_USERS);
    const paid = END_USERS * PAID_EACH;
    expect(countOf(outcomes)).toEqual({ '200': paid, [REFUSED]: END_USERS * CALLS_EACH - paid });
    expect(three.upstream.received() - before).toBe(paid);

    const audit = await openBooks(three.svc, tenant);
    await expectBalanced(audit, SETTLED_WITHIN_MS);
    expect((await audit.books()).chargedNanos).toBe(BigInt(paid * three.hold));
    await audit.close();
    const spends = of(200, await three.api(tenant, 'GET', `/budgets/${budget}/spends`)).data as {
      spent_nanos: number;
    }[];
    expect(spends).toHaveLength(END_USERS);
    expect(new Set(spends.map(({ spent_nanos: spent }) => spent))).toEqual(new Set([PAID_EACH * three.hold]));
  });
});

const nameOf = (nth: number): string => `person-${String(nth).padStart(5, '0')}@example.com`;

describe('a budget of every scope, period and project, over three edges', () => {
  const cases = SCOPES.flatMap((scope) =>
    PERIODS.flatMap((period) =>
      (OF_PROJECTS.includes(scope) ? [false, true] : [false]).map((inProject) => ({
        scope,
        period,
        inProject,
      })),
    ),
  );

  it(`pays exactly its amount at once, to each of its scope, in ${String(cases.length)} cases`, async () => {
    const wrong = await inParallel(cases, 3, async (kind) => {
      const found = await spendAtOnce(kind);
      const isRight = Object.values(found).every(({ served, expected }) => served === expected);
      return isRight ? [] : [{ ...kind, ...found }];
    });
    expect(wrong.flat()).toEqual([]);
  });

  /** Two of the scope call at once, and one of them elsewhere too, where the budget is of one project. */
  async function spendAtOnce({ scope, period, inProject }: (typeof cases)[number]) {
    const tenant = await three.newTenant();
    const [here, there] = [await newProject(tenant), await newProject(tenant)];
    const [first, second] = await twoOf(scope, tenant, here, there);
    await newBudget(three.svc, tenant, {
      scope,
      scope_id: scope === 'organization' ? tenant.organizationId : '*',
      period,
      amount_nanos: PAID_EACH * three.hold + three.hold - 1,
      ...(inProject && { project_id: here }),
    });
    const elsewhere = { ...first, headers: { ...first.headers, 'x-svc-project': there } };
    const groups: Record<string, { caller: Caller; expected: number }> = {
      first: { caller: first, expected: PAID_EACH },
      ...(second && { second: { caller: second, expected: scope === 'member' ? CROWD : PAID_EACH } }),
      ...(inProject && { elsewhere: { caller: elsewhere, expected: CROWD } }),
    };
    const calls = Object.entries(groups).flatMap(([who, { caller }]) =>
      Array.from({ length: CROWD }, () => ({ who, caller })),
    );
    const outcomes = await Promise.all(
      calls.map(async ({ who, caller: { secret, model, headers } }, nth) => ({
        who,
        outcome: await three.send(nth, secret, { body: callOf(model), headers }),
      })),
    );
    return Object.fromEntries(
      Object.entries(groups).map(([name, { expected }]) => {
        const served = outcomes.filter(({ who, outcome }) => who === name && outcome === '200').length;
        return [name, { served, expected }];
      }),
    );
  }

  const newProject = async (tenant: Tenant): Promise<string> =>
    of(201, await three.api(tenant, 'POST', '/projects', { name: 'P' })).id as string;

  /** The second of members is a key of nobody, whose calls no budget of members counts. */
  async function twoOf(
    scope: Scope,
    tenant: Tenant,
    here: string,
    there: string,
  ): Promise<readonly [Caller, Caller?]> {
    const { secret } = await newKey(three.svc, tenant);
    const headers = { 'x-svc-project': here, 'svc-end-user': 'ana', 'svc-session-id': 'one' };
    const first = { secret, model: MODELS[0], headers };
    switch (scope) {
      case 'organization':
        return [first];
      case 'project':
        return [first, { ...first, headers: { ...headers, 'x-svc-project': there } }];
      case 'api_key':
        return [first, { ...first, secret: (await newKey(three.svc, tenant)).secret }];
      case 'member':
        return [first, { ...first, secret: (await newKey(three.svc, tenant, { member_id: null })).secret }];
      case 'model':
        return [first, { ...first, model: MODELS[1] }];
      case 'end_user':
        return [first, { ...first, headers: { ...headers, 'svc-end-user': 'ben' } }];
    }
  }
});

describe('a key that only one address may show, over three edges', () => {
  it(`leaves one event of ${String(REFUSALS)} refusals, all of which are counted`, async () => {
    const tenant = await three.newTenant();
    const hook = { url: `${receiver.origin}/addresses`, event_types: ['api_key.*'] };
    of(201, await three.api(tenant, 'POST', '/webhook-endpoints', hook));
    const key = await newKey(three.svc, tenant, { policy: { allowed_ips: ['203.0.113.7'] } });
    const headers = { 'x-forwarded-for': '198.51.100.1' };
    const outcomes = await crowd(Array.from({ length: REFUSALS }), (_, nth) =>
      three.send(nth, key.secret, { headers }),
    );
    expect(countOf(outcomes)).toEqual({ '401 invalid_api_key': REFUSALS });
    await eventually(async () => {
      expect(await counted(tenant)).toBe(REFUSALS);
    });
    const told = () => receiver.at('/addresses').map(({ body }) => typeOf(body));
    // A later event in the same partition has arrived.
    await newKey(three.svc, tenant, { name: 'last' });
    await eventually(() => {
      expect(told().filter((type) => type === 'api_key.created')).toHaveLength(2);
    });
    expect(told().filter((type) => type === 'api_key.address_refused')).toHaveLength(1);
    const events = await rowsOf<{ payload: string }>(
      three.svc.databaseUrl,
      `SELECT payload FROM outbox_events WHERE organization_id = $1 AND type = 'api_key.address_refused'`,
      [tenant.organizationId],
    );
    expect(events.map(({ payload }) => payload)).toEqual([expect.stringContaining(key.id)]);
  });

  async function counted(tenant: Tenant): Promise<number> {
    const answer = await three.api(tenant, 'GET', '/usage/refusals?code=address_not_allowed');
    const rows = of(200, answer).data as { count: number }[];
    return rows.reduce((sum, { count }) => sum + count, 0);
  }

  const typeOf = (body: Buffer): string => (JSON.parse(body.toString()) as { type: string }).type;
});
