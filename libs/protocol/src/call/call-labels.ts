import { isRecord, type JsonRecord } from '../json/byte-text';
import { type Operation } from './operation';

/** The purpose of a call, as its caller says it (docs/reference/inference-and-compatibility.md#labels). */
export interface CallLabels {
  /** The end user on whose behalf it is made. */
  readonly user: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The bounds of OpenAI's `metadata`, in UTF-16 code units. */
const PAIRS_MAX = 16;
const NAME_MAX = 64;
const VALUE_MAX = 512;
/** A tag is part of a primary key. */
const TAG_MAX = 64;

/**
 * The labels of a body: `user` and `metadata`, in a messages call `metadata.user_id` and `metadata`. What exceeds the
 * bounds is left out. Null for a call without labels.
 */
export function labelsIn(operation: Operation, body: JsonRecord): CallLabels | null {
  const given = body['metadata'];
  if (!isRecord(given) && body['user'] === undefined) return null;
  const metadata = isRecord(given) ? pairsIn(given) : {};
  const user = labelText(users[operation](body));
  return user === null && Object.keys(metadata).length === 0 ? null : { user, metadata };
}

/** Where a body of each operation names the end user. */
const users: Readonly<Record<Operation, (body: JsonRecord) => unknown>> = {
  chat_completions: ({ user }) => user,
  messages: ({ metadata }) => recordValue(metadata, 'user_id'),
  responses: ({ user }) => user,
  embeddings: ({ user }) => user,
};

/**
 * The value by which the usage of a call is summed, up to 64 characters; null where the call does not have it.
 * @param name a name in `metadata`, or `user`.
 */
export function usageTagIn(labels: CallLabels, name: string): string | null {
  const tag = name === 'user' ? labels.user : recordValue(labels.metadata, name);
  return typeof tag === 'string' && tag.length <= TAG_MAX ? tag : null;
}

function pairsIn(metadata: JsonRecord): Readonly<Record<string, string>> {
  const pairs: [string, string][] = [];
  for (const name in metadata) {
    const value = labelText(metadata[name]);
    if (value !== null && isLabelText(name, NAME_MAX)) pairs.push([name, value]);
    if (pairs.length === PAIRS_MAX) break;
  }
  return Object.fromEntries(pairs);
}

function labelText(value: unknown): string | null {
  const isScalar = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  const text = isScalar ? String(value) : '';
  return isLabelText(text, VALUE_MAX) ? text : null;
}

/** One line of valid Unicode, not empty, without white space around it: what the filters of the API can ask for. */
const isLabelText = (text: string, lengthMax: number): boolean =>
  text !== '' && text.length <= lengthMax && text.trim() === text && !/[\p{Cc}\p{Cs}]/u.test(text);

const recordValue = (record: unknown, name: string): unknown =>
  isRecord(record) && Object.hasOwn(record, name) ? record[name] : undefined;
