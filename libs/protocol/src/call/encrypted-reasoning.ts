import { isRecord, type JsonRecord } from '../json/byte-text';

/** Begins `encrypted_content` that the service wrote. No provider can read it. */
export const SERVICE_MARK = 'svc.';

const ENCRYPTED_REASONING = 'reasoning.encrypted_content';

/** OpenAI's models that reason. Others refuse to be asked for encrypted reasoning. */
const REASONS = /(?:^|\/)(?:o[1-9]|gpt-(?:[5-9]|[1-9]\d))(?!.*-chat)/;

/**
 * `include` for a provider that is told to store nothing, where the caller relied on OpenAI's default of storing: such
 * callers send reasoning back by its id, which only its encrypted form can stand in for. Undefined where the caller's own
 * is sent as it is.
 */
export function includeForStateless(
  { store, include }: JsonRecord,
  upstreamModel: string,
): readonly unknown[] | undefined {
  if (store === false || !REASONS.test(upstreamModel)) return undefined;
  const asked: readonly unknown[] = Array.isArray(include) ? include : [];
  return asked.includes(ENCRYPTED_REASONING) ? undefined : [...asked, ENCRYPTED_REASONING];
}

/**
 * True where a provider can read an item without anything that it stored. Reasoning is readable only in its encrypted
 * form, and only by who wrote it.
 */
export function isReadable(item: unknown): boolean {
  if (!isRecord(item) || item['type'] !== 'reasoning') return true;
  const { encrypted_content: encrypted } = item;
  return typeof encrypted === 'string' && encrypted !== '' && !encrypted.startsWith(SERVICE_MARK);
}
