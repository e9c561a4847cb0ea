import { formatDuration } from './numbers';

describe('a duration', () => {
  it.each([
    [240, '240 ms'],
    [1_800, '1.8 s'],
    [125_000, '2 min 05 s'],
    [3_599_000, '59 min 59 s'],
    [3_600_000, '1 h 00 min'],
    [2_592_000_000, '720 h 00 min'],
  ])('of %i milliseconds is shown as %s', (milliseconds, shown) => {
    expect(formatDuration(milliseconds)).toBe(shown);
  });
});
