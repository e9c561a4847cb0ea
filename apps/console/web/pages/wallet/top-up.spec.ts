import { topUpAmount } from './top-up';

describe('the amount of a top-up', () => {
  it.each([
    ['5', 5_000_000_000n],
    ['$1,250.50', 1_250_500_000_000n],
    ['25000', 25_000_000_000_000n],
  ])('takes %s', (typed, amount) => expect(topUpAmount(typed)).toBe(amount));

  it.each(['', '4.99', '25000.01', '5.001', 'ten', '-5'])('refuses "%s"', (typed) =>
    expect(topUpAmount(typed)).toBeNull(),
  );
});
