import { type JsonRecord } from '../json/byte-text';
import { type ValueKind } from './value-kind';

/** As many as OpenAI takes in one request. */
const INPUTS_MAX = 2048;

/** A text, or its tokens. */
type EmbeddingInput = string | readonly number[];

/** `input` of an embeddings request (docs/reference/inference-and-compatibility.md#embeddings). */
export const anEmbeddingInput: ValueKind = {
  name:
    'a non-empty string, a non-empty array of tokens, ' +
    `or an array of 1 to ${String(INPUTS_MAX)} such strings or of 1 to ${String(INPUTS_MAX)} such arrays`,
  accepts: (value) => isText(value) || isTokens(value) || isList(value, isText) || isList(value, isTokens),
};

/** How many inputs an embeddings call has. Each has a context window of its own. */
export const inputCount = ({ input }: JsonRecord): number => inputsIn(input as Input).length;

/** The texts of the inputs, and the number of the tokens that the caller sent as numbers. */
export function inputContent({ input }: JsonRecord): { texts: readonly string[]; tokenCount: number } {
  const inputs = inputsIn(input as Input);
  const texts = inputs.filter((one) => typeof one === 'string');
  const tokenCount = inputs.reduce((sum, one) => (typeof one === 'string' ? sum : sum + one.length), 0);
  return { texts, tokenCount };
}

/** True where the inputs are tokens. A list has texts or tokens, never both. */
export const sendsTokens = ({ input }: JsonRecord): boolean =>
  typeof inputsIn(input as Input)[0] !== 'string';

/** An upper bound of the prompt's tokens: exact for tokens, and of text one token a byte of the body. */
export function inputTokensMax(body: JsonRecord, bodyBytes: number): number {
  const { texts, tokenCount } = inputContent(body);
  return texts.length === 0 ? tokenCount : bodyBytes;
}

/** An `input` that {@link anEmbeddingInput} accepts. */
type Input = EmbeddingInput | readonly EmbeddingInput[];

const inputsIn = (input: Input): readonly EmbeddingInput[] =>
  typeof input === 'string' || isTokens(input) ? [input] : (input as readonly EmbeddingInput[]);

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isToken = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const isTokens = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.length > 0 && value.every(isToken);

const isList = (value: unknown, isInput: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length > 0 && value.length <= INPUTS_MAX && value.every(isInput);
