import { pricePerToken } from '@svc/catalog';
import { type Policy } from '../policy/policy';
import { holdsAffinity } from './affinity-scope';

const [cheap, dear] = [pricePerToken(1)!, pricePerToken(2)!];
const readsCacheFor = (cachedInput: typeof cheap) => ({
  prices: { input: dear, output: dear, cacheWrite: dear, cachedInput },
});

describe('conversations return to an endpoint', () => {
  it.each<[Policy['affinity'], boolean, boolean]>([
    ['auto', true, false],
    ['always', true, true],
    ['off', false, false],
  ])('with %s: with a cheaper cache %p, without %p', (affinity, cheaper, same) => {
    expect(holdsAffinity({ affinity }, readsCacheFor(cheap))).toBe(cheaper);
    expect(holdsAffinity({ affinity }, readsCacheFor(dear))).toBe(same);
  });
});
