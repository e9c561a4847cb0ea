import { rowsOf } from '../harness/database-session';
import { expectBalanced, openBooks } from './proven-books';
import { newKey, newTenant, of, type Tenant } from './tenant';
import {
  askAs,
  countOf,
  crowd,
  newBudget,
  REFUSED,
  startThreeEdges,
  useHoldsUp,
  type ThreeEdges,
} from './three-edges';

const CALLS = 10_000;
/** Beyond what the budget pays. */
const TOO_MANY = 100;
const SETTLED_WITHIN_MS = 30_000;
const EMPTY_WALLET = '402 insufficient_funds';

let three: ThreeEdges;
/** What a call uses at the catalog's prices, and what is held for it, in nanos. */
let cost: number;
beforeAll(async () => {
  three = await startThreeEdges({ credentialEnv: 'BILLING_KEY' });
  cost = await useHoldsUp(three);
});
afterAll(() => three.stop());

const api = (tenant: Tenant, method: string, path: string, body?: object) =>
  askAs(tenant, three.svc, method, path, body);

/** An organization with an empty wallet and a credential of its own. */
async function newOwnTenant(): Promise<Tenant> {
  const tenant = await newTenant(three.svc, 0n);
  const credential = { provider: 'billing-chat', label: 'ours', secret: 'sk-of-the-organization' };
  of(201, await api(tenant, 'POST', '/provider-credentials', credential));
  return tenant;
}

const transfersOf = ({ organizationId }: Tenant) =>
  rowsOf(three.svc.databaseUrl, 'SELECT id FROM ledger_transfers WHERE organization_id = $1', [
    organizationId,
  ]);

describe('calls on an organization’s own credential, over three edges', () => {
  it(`leave an empty wallet as it is, and a budget stops ${String(CALLS)} of them exactly at what the own account pays`, async () => {
    const tenant = await newOwnTenant();
    const { secret } = await newKey(three.svc, tenant);
    const fields = { scope: 'organization', scope_id: tenant.organizationId };
    const budget = await newBudget(three.svc, tenant, { ...fields, amount_nanos: CALLS * cost + cost - 1 });
    const before = three.upstream.received();

    const outcomes = await crowd(Array.from({ length: CALLS + TOO_MANY }), (_, nth) =>
      three.send(nth, secret, {}),
    );

    expect(countOf(outcomes)).toEqual({ '200': CALLS, [REFUSED]: TOO_MANY });
    expect(three.upstream.received() - before).toBe(CALLS);
    const audit = await openBooks(three.svc, tenant);
    await expectBalanced(audit, SETTLED_WITHIN_MS);
    expect(await audit.books()).toMatchObject({ balanceNanos: 0n, heldNanos: 0n, chargedNanos: 0n });
    await audit.close();
    expect(await transfersOf(tenant)).toEqual([]);
    const { total } = of(200, await api(tenant, 'GET', '/usage'));
    expect(total).toMatchObject({ requests: CALLS, customer_nanos: 0, provider_nanos: CALLS * cost });
    const { spent_nanos: spent } = of(200, await api(tenant, 'GET', `/budgets/${budget}`));
    expect(spent).toBe(CALLS * cost);
  });

  it('are answered where the wallet is empty, and those on the platform’s credential are refused', async () => {
    const tenant = await newOwnTenant();
    const { secret } = await newKey(three.svc, tenant);
    expect(await three.send(0, secret, {})).toBe('200');
    const stranger = await newTenant(three.svc, 0n);
    expect(await three.send(0, (await newKey(three.svc, stranger)).secret, {})).toBe(EMPTY_WALLET);
    of(200, await api(tenant, 'PUT', '/policy', { credential_mode: 'platform_only' }));
    // The key has made no call yet at this edge, which so reads the policy now.
    expect(await three.send(1, secret, {})).toBe(EMPTY_WALLET);
    expect(await transfersOf(tenant)).toEqual([]);
  });
});
