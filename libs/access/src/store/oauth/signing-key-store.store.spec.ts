import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { createSealer } from '@svc/runtime';
import { AccessTokenSigner } from '../../access-tokens/access-token-signer';
import { AccessTokenVerifier } from '../../access-tokens/access-token-verifier';
import { newSigningKey } from '../../access-tokens/signing-key';
import { lifetimesMs } from '../../rules/lifetimes';
import { accessTokenClaims } from '../../rules/oauth/access-token-claims';
import { SigningKeyStore } from './signing-key-store';

const PERIOD_MS = lifetimesMs.signingKey;

let test: TestDatabase;
let store: SigningKeyStore;
beforeEach(async () => {
  test = await emptyTestDatabase();
  store = new SigningKeyStore(test.database, createSealer(Buffer.alloc(32, 1)));
});
afterEach(() => test.close());

const turn = () => store.rotateKeys(newSigningKey);
/** Moves everything stored into the past, because the database's clock cannot be set. */
const passMs = (ms: number) =>
  test.database.pool.query(
    `UPDATE signing_keys SET created_at = created_at - $1 * interval '1 ms', retired_at = retired_at - $1 * interval '1 ms'`,
    [ms],
  );
async function kids(): Promise<Record<string, string[]>> {
  const rows = await test.database.prisma.signingKey.findMany({ orderBy: { createdAt: 'asc' } });
  return Object.fromEntries(
    ['active', 'next', 'retired'].map((state) => [
      state,
      rows.filter((row) => row.state === state).map(({ kid }) => kid),
    ]),
  );
}

describe('signing keys', () => {
  it('are one that signs and one that waits, however many processes start at once', async () => {
    await expect(store.active()).rejects.toThrow();
    await Promise.all(Array.from({ length: 8 }, turn));
    const made = await kids();
    expect(made).toMatchObject({ active: [expect.any(String)], next: [expect.any(String)], retired: [] });
    expect((await store.active()).kid).toBe(made['active']![0]);
    expect((await store.published()).map(({ kid }) => kid).sort()).toEqual(
      [...made['active']!, ...made['next']!].sort(),
    );
  });

  it('turn once a period, and stay until the last token has expired', async () => {
    await turn();
    const first = await kids();
    await passMs(PERIOD_MS - 60_000);
    await turn();
    expect(await kids()).toEqual(first);
    await passMs(60_000);
    await Promise.all([turn(), turn()]);
    const second = await kids();
    expect(second).toMatchObject({ active: first['next'], retired: first['active'] });
    expect(second['next']).toHaveLength(1);
    await passMs(lifetimesMs.accessToken);
    await turn();
    expect(await kids()).toEqual(second);
    await passMs(lifetimesMs.accessToken);
    await turn();
    expect(await kids()).toEqual({ ...second, retired: [] });
  });

  it('sign what they verify, before and after they turn', async () => {
    let nowMs = Date.now();
    const clock = { now: () => nowMs };
    const issuer = 'https://svc.example';
    await turn();
    const signer = new AccessTokenSigner(store, clock);
    const verifier = new AccessTokenVerifier({ keys: store, clock, issuer, audience: issuer });
    const sign = () =>
      signer.sign(
        accessTokenClaims(
          {
            jti: 'j',
            issuer,
            audience: issuer,
            userId: 'usr_1',
            organizationId: 'org_1',
            grantId: 'grant_1',
            clientId: 'svc_client_1',
            scopes: ['openid'],
            role: 'viewer',
          },
          nowMs,
        ),
      );
    nowMs += PERIOD_MS;
    await passMs(PERIOD_MS);
    const before = await sign();
    await turn();
    nowMs += 60_000;
    for (const jwt of [before, await sign()]) expect((await verifier.verify(jwt)).jti).toBe('j');
  });

  it('are stored sealed, and open with no other master key', async () => {
    await turn();
    const { privateJwk } = await store.active();
    const rows = await test.database.prisma.signingKey.findMany();
    for (const row of rows) {
      expect(Buffer.from(row.privateKeyCiphertext).includes(privateJwk.d)).toBe(false);
      expect(JSON.stringify(row.publicJwk)).not.toContain('"d"');
    }
    const other = new SigningKeyStore(test.database, createSealer(Buffer.alloc(32, 2)));
    await expect(other.active()).rejects.toThrow('does not open');
    expect(await other.published()).toHaveLength(2);
  });
});
