import { createHash } from 'node:crypto';
import { type EmbeddedInput } from './read-embeddings-call';

/**
 * A vector of length 1: same model and input, same vector. It means nothing. Fewer dimensions are the first ones of
 * the longer vector, scaled to length 1, as at OpenAI.
 */
export function vectorOf(model: string, input: EmbeddedInput, dimensions: number): Float32Array {
  const random = randomNumbers(JSON.stringify([model, input]));
  const vector = Float64Array.from({ length: dimensions }, random);
  const length = Math.sqrt(vector.reduce((sum, number) => sum + number * number, 0));
  return Float32Array.from(vector, (number) => number / length);
}

/** Little-endian on every machine, as the clients decode it. */
export function base64Of(vector: Float32Array): string {
  const bytes = Buffer.allocUnsafe(vector.length * Float32Array.BYTES_PER_ELEMENT);
  vector.forEach((number, at) => bytes.writeFloatLE(number, at * Float32Array.BYTES_PER_ELEMENT));
  return bytes.toString('base64');
}

/** Numbers from -1 to 1 without 0, by a xorshift generator: the same numbers for the same seed. */
function randomNumbers(seed: string): () => number {
  // The lowest bit is set, because the generator stays at 0.
  let state = createHash('sha256').update(seed).digest().readInt32LE() | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state / 2 ** 31;
  };
}
