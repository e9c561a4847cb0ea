import { daysLeft, daysLeftWords } from './days-left';

describe('the days that a wallet lasts', () => {
  it.each([
    [700n, 70n, 70n],
    [5n, 70n, 0n],
    [-5n, 70n, 0n],
    [700n, 0n, null],
  ])('with %d left and %d spent in 7 days are %p', (available, spent, days) => {
    expect(daysLeft(available, spent)).toBe(days);
  });

  it.each([
    [0n, 'Less than a day'],
    [1n, '1 day'],
    [3650n, '3,650 days'],
    [22_764_220n, 'More than 10 years'],
  ])('are told in words: %d', (days, words) => expect(daysLeftWords(days)).toBe(words));
});
