import fc from 'fast-check';

/** What a matcher says of values that it refuses; null where it passes. */
function refusalOf(match: () => void): Error | null {
  try {
    match();
    return null;
  } catch (error) {
    return error as Error;
  }
}

const value = fc.oneof(fc.jsonValue(), fc.anything({ withMap: true, withSet: true, withDate: true }));

describe('`expect`', () => {
  // `not` is Jest's own.
  it.each(['toBe', 'toEqual'] as const)('%s passes exactly what Jest’s passes', (matcher) => {
    const says = (one: unknown, other: unknown) => {
      const passes = refusalOf(() => {
        expect(one)[matcher](other);
      });
      const fails = refusalOf(() => {
        expect(one).not[matcher](other);
      });
      return [passes === null, fails === null];
    };
    for (const [one, other] of [
      [Number.NaN, Number.NaN],
      [0, -0],
      [{ a: undefined }, {}],
      [[undefined], []],
      [{ a: 'b' }, { a: expect.any(String) as unknown }],
      [{ a: 1 }, { a: expect.any(String) as unknown }],
      [new Set([1, { a: 1 }]), new Set([{ a: 1 }, 1])],
      [new Map([['a', [1]]]), new Map([['a', [2]]])],
      [new Error('one'), new Error('other')],
    ])
      expect(says(one, other).filter(Boolean)).toHaveLength(1);
    fc.assert(
      fc.property(value, value, fc.boolean(), (one, other, isSame) => {
        const [passes, fails] = says(one, isSame ? one : other);
        return passes !== fails;
      }),
    );
  });

  it('says where a test failed, and how, as Jest does', () => {
    for (const matcher of ['toBe', 'toEqual'] as const) {
      const refusal = refusalOf(() => {
        expect({ a: 1 })[matcher]({ a: 2 });
      });
      expect(refusal?.message).toContain(`${matcher}(`);
      expect(refusal?.stack?.split('\n').find((line) => line.includes(' at '))).toContain('expect.spec.ts');
    }
  });

  it('counts what passes for `expect.assertions`', () => {
    expect.assertions(3);
    expect(1).toBe(1);
    expect([1]).toEqual([1]);
    expect(1).toBeGreaterThan(0);
  });
});
