import { type Credential } from './credential';
import { poolBody, shareOf } from './pool';

const weighing = (...weights: readonly number[]) => weights.map((weight) => ({ weight }) as Credential);

describe('the share of a credential in its pool', () => {
  const shares = (pool: readonly Credential[]) => pool.map((one) => shareOf(one, pool));

  it('is its weight among the weights', () => {
    expect(shares(weighing(300, 100))).toEqual([0.75, 0.25]);
  });

  it('is none of a spare beside one that has a weight', () => {
    expect(shares(weighing(100, 0))).toEqual([1, null]);
  });

  it('is even where all are spares', () => {
    expect(shares(weighing(0, 0))).toEqual([0.5, 0.5]);
  });
});

it('an emptied weight is sent as the default, since the API takes no null', () => {
  expect(poolBody({ weight: null, rpm: null, tpm: 5 })).toEqual({
    weight: 100,
    rate_limit_rpm: null,
    rate_limit_tpm: 5,
  });
});
