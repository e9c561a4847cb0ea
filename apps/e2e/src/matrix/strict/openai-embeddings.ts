import { rangeProblem } from './openai-ranges';
import { type Body } from './vendor-rules';

const MOST_INPUTS = 2048;

/** Faults of a body that the types of embeddings don't say. */
export function embeddingProblem(body: Body): string | null {
  const { input, encoding_format: encoding } = body;
  const inputs: readonly unknown[] = Array.isArray(input) ? input : [input];
  if (inputs.length === 0) return "Invalid 'input': empty array. Expected an array with minimum length 1.";
  if (inputs.length > MOST_INPUTS && typeof inputs[0] !== 'number')
    return `Invalid 'input': array too long. Expected an array with maximum length ${String(MOST_INPUTS)}.`;
  if (inputs.includes('')) return "Invalid 'input': input cannot be an empty string.";
  if (inputs.some((each) => Array.isArray(each) && each.length === 0))
    return "Invalid 'input[0]': empty array. Expected an array with minimum length 1.";
  if (encoding === null) return "Invalid value for 'encoding_format': expected 'float' or 'base64'.";
  return rangeProblem(body, [['dimensions', 1, Infinity]]);
}
