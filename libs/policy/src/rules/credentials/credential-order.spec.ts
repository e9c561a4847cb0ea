import fc from 'fast-check';
import { orderedCredentials, type OrderedCredential } from './credential-order';

const unknown = () => null;
const keysOf = (credentials: readonly OrderedCredential[]) => credentials.map(({ key }) => key);
const pool = (...weights: number[]): OrderedCredential[] =>
  weights.map((weight, at) => ({ key: `cred_${String(at)}`, weight }));

const arbitraryPool = fc
  .array(fc.integer({ min: 0, max: 1000 }), { maxLength: 20 })
  .map((weights) => pool(...weights));

/** How many of the subjects each credential gets first. */
function sharesOf(credentials: readonly OrderedCredential[], subjects: number): Map<string, number> {
  const shares = new Map<string, number>();
  for (let at = 0; at < subjects; at++) {
    const [first] = orderedCredentials(credentials, `session-${String(at)}`, unknown);
    if (first) shares.set(first.key, (shares.get(first.key) ?? 0) + 1);
  }
  return shares;
}

describe('the order of credentials', () => {
  it('has each of them once, the same whoever lists them in whatever order', () => {
    fc.assert(
      fc.property(arbitraryPool, fc.string(), (credentials, subject) => {
        const ordered = keysOf(orderedCredentials(credentials, subject, unknown));
        expect(ordered.toSorted()).toEqual(keysOf(credentials).toSorted());
        expect(keysOf(orderedCredentials(credentials.toReversed(), subject, unknown))).toEqual(ordered);
      }),
    );
  });

  it('moves only the subjects of a credential that goes', () => {
    fc.assert(
      fc.property(arbitraryPool, fc.string(), fc.nat(19), (credentials, subject, at) => {
        const gone = credentials[at]?.key;
        const left = credentials.filter(({ key }) => key !== gone);
        const before = keysOf(orderedCredentials(credentials, subject, unknown));
        // Spares are hashed alike whether there are others or not, so this holds for them too.
        expect(keysOf(orderedCredentials(left, subject, unknown))).toEqual(
          before.filter((key) => key !== gone),
        );
      }),
    );
  });

  it('gives each its weight’s share of the subjects', () => {
    const share = (sharesOf(pool(300, 100), 10_000).get('cred_0') ?? 0) / 10_000;
    expect(share).toBeGreaterThan(0.73);
    expect(share).toBeLessThan(0.77);
  });

  it('shares evenly where all have weight 0', () => {
    for (const count of sharesOf(pool(0, 0, 0, 0), 10_000).values()) {
      expect(count).toBeGreaterThan(2_300);
      expect(count).toBeLessThan(2_700);
    }
  });

  it('puts weight 0 after all others, also after those with little headroom', () => {
    fc.assert(
      fc.property(
        arbitraryPool,
        fc.string(),
        fc.func(fc.option(fc.nat(10_000))),
        (credentials, subject, bps) => {
          const headroomOf = ({ key }: OrderedCredential) => bps(key);
          const weights = orderedCredentials(credentials, subject, headroomOf).map(({ weight }) => weight);
          const firstSpare = weights.indexOf(0);
          if (firstSpare >= 0) expect(Math.max(...weights.slice(firstSpare))).toBe(0);
        },
      ),
    );
  });

  it('puts those with less than 500 basis points of headroom last', () => {
    const headroom = (low: string) => (credential: OrderedCredential) => (credential.key === low ? 499 : 500);
    for (const { key } of pool(1000, 1, 1)) {
      const ordered = orderedCredentials(pool(1000, 1, 1), 'session', headroom(key));
      expect(keysOf(ordered).at(-1)).toBe(key);
    }
  });
});
