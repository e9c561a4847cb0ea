import fc from 'fast-check';
import { base64Of, vectorOf } from './vector';

describe('the simulated vectors', () => {
  const inputs = fc.oneof(fc.string({ minLength: 1 }), fc.array(fc.nat(), { minLength: 1 }));

  it('have length 1 and as many dimensions as asked', () => {
    fc.assert(
      fc.property(inputs, fc.integer({ min: 1, max: 3072 }), (input, dimensions) => {
        const vector = vectorOf('m', input, dimensions);
        expect(vector).toHaveLength(dimensions);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      }),
      { numRuns: 50 },
    );
  });

  it('are the same for the same model and input only', () => {
    expect(vectorOf('m', 'cat', 8)).toEqual(vectorOf('m', 'cat', 8));
    expect(vectorOf('m', 'cat', 8)).not.toEqual(vectorOf('m', 'dog', 8));
    expect(vectorOf('m', 'cat', 8)).not.toEqual(vectorOf('n', 'cat', 8));
    expect(vectorOf('m', [1, 2], 8)).not.toEqual(vectorOf('m', [2, 1], 8));
  });

  it('have the direction of the longer vector in their first dimensions', () => {
    const long = vectorOf('m', 'cat', 16);
    const short = vectorOf('m', 'cat', 4);
    const scale = short[0]! / long[0]!;
    short.forEach((number, at) => {
      expect(number).toBeCloseTo(long[at]! * scale, 5);
    });
  });

  it('are little-endian in base64', () => {
    expect(base64Of(Float32Array.of(1, -2))).toBe(Buffer.from('0000803f000000c0', 'hex').toString('base64'));
  });
});
