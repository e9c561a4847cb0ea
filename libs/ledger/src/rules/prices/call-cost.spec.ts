import fc from 'fast-check';
import { oracleCharge, pricedUsages, pricesOf } from '../../testing/charge-oracle';
import { callCost } from './call-cost';

const USAGES = 100_000;

describe('what a call costs', () => {
  const usages = fc.sample(pricedUsages, USAGES);

  it.each([11_550, 9_001])(
    `is exact at %d basis points, for ${String(USAGES)} usages and prices with fractions`,
    (priceBps) => {
      const prices = { priceBps, ownCredentialBps: 0 };
      const different = usages.find((priced) => {
        const { charge, providerCost } = callCost(priced.usage, pricesOf(priced.written), prices, 'platform');
        return charge !== oracleCharge(priced, priceBps) || providerCost !== 0n;
      });
      expect(different).toBeUndefined();
    },
  );

  it('is, on an own credential, the fee of the operator, and beside it what the own account pays', () => {
    const prices = { priceBps: 11_550, ownCredentialBps: 9_001 };
    fc.assert(
      fc.property(pricedUsages, (priced) => {
        expect(callCost(priced.usage, pricesOf(priced.written), prices, 'own')).toEqual({
          charge: oracleCharge(priced, 9_001),
          providerCost: oracleCharge(priced, 10_000),
        });
      }),
    );
  });
});
