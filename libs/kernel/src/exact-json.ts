/** An integer in JSON. Beyond 2⁵³ − 1 it is its own text, which `JSON.stringify` writes as it is. */
export type JsonInteger = number | RawJson;

interface RawJson {
  readonly rawJSON: string;
}

/** A proposal that TypeScript has no types of (https://github.com/tc39/proposal-json-parse-with-source). */
const json = JSON as unknown as {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
  parse(
    text: string,
    reviver: (key: string, value: unknown, context?: { source?: string }) => unknown,
  ): unknown;
};

/** A value in place of the one that was parsed, by the text that it stands for: undefined where the runtime keeps none. */
type Reviver = (key: string, value: unknown, source: string | undefined) => unknown;

/** `JSON.parse` whose reviver sees the text of each number. */
export const parseJsonWithSource = (text: string, reviver: Reviver): unknown =>
  json.parse(text, (key, value, context) => reviver(key, value, context?.source));

/** True where `JSON.stringify` writes the value as its own text. */
export const isRawJson = (value: unknown): value is RawJson => json.isRawJSON(value);

export function jsonInteger(value: bigint): JsonInteger {
  const rounded = Number(value);
  return Number.isSafeInteger(rounded) ? rounded : json.rawJSON(String(value));
}

export const isJsonInteger = (value: unknown): value is JsonInteger =>
  Number.isSafeInteger(value) || (isRawJson(value) && isInteger(value.rawJSON));

/** As `JSON.parse`, except that integers beyond 2⁵³ − 1 keep their digits, as {@link JsonInteger}. */
export const parseExactJson = (text: string): unknown =>
  parseJsonWithSource(text, (_key, value, source = '') =>
    typeof value === 'number' && !Number.isSafeInteger(value) && isInteger(source)
      ? json.rawJSON(source)
      : value,
  );

const isInteger = (text: string): boolean => /^-?\d+$/.test(text);
