import { isOlder } from './versions';

describe('an older version', () => {
  it.each([
    ['0.1.0', '0.2.0', true],
    ['1.9.0', '1.10.0', true],
    ['1.10.0', '2.0.0', true],
    ['1.10.1', '1.10.0', false],
    ['2.0.0', '1.10.0', false],
    ['1.0.0', '1.0.0', false],
    ['unknown', '1.0.0', false],
    ['1.0.0', 'unknown', false],
  ])('is seen by its numbers: %s and %s', (version, than, expected) => {
    expect(isOlder(version, than)).toBe(expected);
  });
});
