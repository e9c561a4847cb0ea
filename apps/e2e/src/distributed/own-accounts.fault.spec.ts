import { rowsOf } from '../harness/database-session';
import { callApi } from '../oauth/oauth-app';
import { expectBalanced, openBooks } from './proven-books';
import { newKey, newTenant, of, type Tenant } from './tenant';
import { countOf, crowd, newBudget, PLATFORM_SECRET, REFUSED, threeEdges } from './three-edges';

const CALLS = 10_000;
/** Beyond what the budget pays. */
const TOO_MANY = 100;
const SETTLED_WITHIN_MS = 30_000;
const EMPTY_WALLET = '402 insufficient_funds';
/** Calls of which every fourth exceeds the rate of the organization's account. */
const FALLING_OVER = 400;
const CREDIT = 10n ** 12n;
const PRICE_BPS = 11_550;

const three = threeEdges({ credentialEnv: 'BILLING_KEY' });

/** An organization with a credential of its own. */
async function newOwnTenant(creditNanos = 0n, secret = 'sk-of-the-organization'): Promise<Tenant> {
  const tenant = await newTenant(three.svc, creditNanos);
  const credential = { provider: 'billing-chat', label: 'ours', secret };
  of(201, await three.api(tenant, 'POST', '/provider-credentials', credential));
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
    const budget = await newBudget(three.svc, tenant, {
      ...fields,
      amount_nanos: CALLS * three.hold + three.hold - 1,
    });
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
    const { total } = of(200, await three.api(tenant, 'GET', '/usage'));
    expect(total).toMatchObject({ requests: CALLS, customer_nanos: 0, provider_nanos: CALLS * three.hold });
    const { spent_nanos: spent } = of(200, await three.api(tenant, 'GET', `/budgets/${budget}`));
    expect(spent).toBe(CALLS * three.hold);
  });

  it('are answered where the wallet is empty, and those on the platform’s credential are refused', async () => {
    const tenant = await newOwnTenant();
    const { secret } = await newKey(three.svc, tenant);
    expect(await three.send(0, secret, {})).toBe('200');
    const stranger = await newTenant(three.svc, 0n);
    expect(await three.send(0, (await newKey(three.svc, stranger)).secret, {})).toBe(EMPTY_WALLET);
    of(200, await three.api(tenant, 'PUT', '/policy', { credential_mode: 'platform_only' }));
    // The key has made no call yet at this edge, which so reads the policy now.
    expect(await three.send(1, secret, {})).toBe(EMPTY_WALLET);
    expect(await transfersOf(tenant)).toEqual([]);
  });

  it('that fall over to the platform’s credential charge exactly the platform’s part, at the price of the organization', async () => {
    const own = 'sk-of-a-small-account';
    const tenant = await newOwnTenant(CREDIT, own);
    const { secret } = await newKey(three.svc, tenant);
    const path = `/platform/v1/organizations/${tenant.organizationId}`;
    const price = { price_bps: PRICE_BPS };
    of(200, await callApi(three.svc.baseUrl, 'PATCH', path, three.svc.platformToken ?? '', price));
    three.upstream.limitEvery(4, own);
    const before = three.upstream.answered(PLATFORM_SECRET);

    const outcomes = await crowd(Array.from({ length: FALLING_OVER }), (_, nth) =>
      three.send(nth, secret, {}),
    );

    expect(countOf(outcomes)).toEqual({ '200': FALLING_OVER });
    const byPlatform = three.upstream.answered(PLATFORM_SECRET) - before;
    expect(byPlatform).toBeGreaterThan(0);
    expect(byPlatform + three.upstream.answered(own)).toBe(FALLING_OVER);
    // Rounded up once a call.
    const charge = (BigInt(three.hold) * BigInt(PRICE_BPS) + 9_999n) / 10_000n;
    const audit = await openBooks(three.svc, tenant);
    await expectBalanced(audit, SETTLED_WITHIN_MS);
    const charged = charge * BigInt(byPlatform);
    expect(await audit.books()).toMatchObject({ balanceNanos: CREDIT - charged, chargedNanos: charged });
    expect(new Set([...(await audit.charges()).values()].flat())).toEqual(new Set([charge]));
    await audit.close();
    const { total } = of(200, await three.api(tenant, 'GET', '/usage'));
    expect(total).toMatchObject({
      customer_nanos: Number(charged),
      provider_nanos: (FALLING_OVER - byPlatform) * three.hold,
    });
  });
});
