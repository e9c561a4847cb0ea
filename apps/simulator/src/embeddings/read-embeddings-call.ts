import { type BodyFields, missing, optionalCount, requiredText, wrongType } from '../body/body-fields';
import { tokensOfBytes } from '../prompt/count-tokens';
import { Refusal } from '../refusal';

const MAX_INPUTS = 2048;
const MAX_INPUT_TOKENS = 8192;
const MAX_TOKENS = 300_000;
const ENCODINGS = ['float', 'base64'] as const;

/** A text, or the numbers of its tokens. */
export type EmbeddedInput = string | readonly number[];

export interface EmbeddingsCall {
  readonly model: string;
  readonly inputs: readonly EmbeddedInput[];
  /** Of all inputs together. */
  readonly inputTokenCount: number;
  readonly dimensions: number;
  readonly encoding: (typeof ENCODINGS)[number];
}

/** An embeddings request body. @throws Refusal 400, by OpenAI's limits. */
export function readEmbeddingsCall(body: BodyFields): EmbeddingsCall {
  const model = requiredText(body, 'model');
  const inputs = readInputs(body.input);
  return {
    model,
    inputs,
    inputTokenCount: countInputTokens(inputs),
    dimensions: readDimensions(body, model),
    encoding: readEncoding(body.encoding_format),
  };
}

function readInputs(input: unknown): readonly EmbeddedInput[] {
  if (input === undefined || input === null) throw missing('input');
  if (typeof input === 'string') return [readInput(input, 'input')];
  if (!Array.isArray(input)) throw wrongType('input', 'a string or a list');
  const items: readonly unknown[] = input;
  if (items.length === 0) throw emptyList('input');
  if (typeof items[0] === 'number') return [readInput(items, 'input')];
  if (items.length > MAX_INPUTS) throw longList(items.length);
  const inputs = items.map((item, at) => readInput(item, `input[${String(at)}]`));
  if (new Set(inputs.map((each) => typeof each)).size > 1) {
    throw wrongType('input', 'either strings or lists of tokens');
  }
  return inputs;
}

function readInput(input: unknown, param: string): EmbeddedInput {
  if (input === '') {
    throw new Refusal(400, `Invalid '${param}': input cannot be an empty string.`, { param: 'input' });
  }
  if (typeof input === 'string') return input;
  if (!Array.isArray(input)) throw wrongType(param, 'a string or a list of tokens');
  const tokenNumbers: readonly unknown[] = input;
  if (tokenNumbers.length === 0) throw emptyList(param);
  if (!tokenNumbers.every(isTokenNumber)) throw wrongType(param, 'a list of tokens');
  return tokenNumbers;
}

function isTokenNumber(item: unknown): item is number {
  return typeof item === 'number' && Number.isInteger(item) && item >= 0;
}

function countInputTokens(inputs: readonly EmbeddedInput[]): number {
  let sum = 0;
  for (const input of inputs) {
    const count = typeof input === 'string' ? tokensOfBytes(Buffer.byteLength(input)) : input.length;
    if (count > MAX_INPUT_TOKENS) {
      throw new Refusal(
        400,
        `This model's maximum context length is ${String(MAX_INPUT_TOKENS)} tokens, however you requested ` +
          `${String(count)} tokens. Please reduce your prompt.`,
      );
    }
    sum += count;
  }
  if (sum <= MAX_TOKENS) return sum;
  throw new Refusal(400, `Requested ${String(sum)} tokens, max ${String(MAX_TOKENS)} tokens per request.`, {
    code: 'max_tokens_per_request',
  });
}

/** As OpenAI's models: the larger one has 3,072 dimensions, the others 1,536, and each can have fewer. */
function readDimensions(body: BodyFields, model: string): number {
  const most = model.includes('large') ? 3072 : 1536;
  const dimensions = optionalCount(body, 'dimensions') ?? most;
  if (dimensions <= most) return dimensions;
  throw new Refusal(
    400,
    `Invalid value for 'dimensions' = ${String(dimensions)}. Must be less than or equal to ${String(most)}.`,
    { param: 'dimensions' },
  );
}

function readEncoding(given: unknown): EmbeddingsCall['encoding'] {
  const encoding = ENCODINGS.find((known) => known === (given ?? 'float'));
  if (encoding !== undefined) return encoding;
  throw new Refusal(400, `Invalid value for 'encoding_format': expected 'float' or 'base64'.`, {
    param: 'encoding_format',
    code: 'invalid_value',
  });
}

function emptyList(param: string): Refusal {
  return new Refusal(
    400,
    `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    { param: 'input', code: 'empty_array' },
  );
}

function longList(length: number): Refusal {
  return new Refusal(
    400,
    `Invalid 'input': array too long. Expected an array with maximum length ${String(MAX_INPUTS)}, ` +
      `but got an array with length ${String(length)} instead.`,
    { param: 'input', code: 'array_above_max_length' },
  );
}
