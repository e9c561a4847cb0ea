import { isRecord, type JsonRecord } from '../json/byte-text';
import { type Loss } from '../translation/loss';
import { type Operation } from './operation';

/**
 * Options by which a call asks a provider to keep data for longer than the call takes. Under a policy of zero retention it is left out
 * (docs/reference/routing-policy.md#the-policy).
 */
export interface KeptData {
  /** In the caller's paths. */
  readonly losses: readonly Loss[];
  /** Fields, and members of fields, to leave out. */
  readonly omit: readonly string[];
}

const NOTHING: KeptData = { losses: [], omit: [] };

/** Caches in memory, which a provider without retention has too. */
const SHORT_CACHES: ReadonlySet<unknown> = new Set([undefined, null, 'in_memory', 'in-memory']);
const SHORT_TIMES: ReadonlySet<unknown> = new Set([undefined, null, '5m', '30m']);

export function keptData(operation: Operation, body: JsonRecord): KeptData {
  if (operation !== 'chat_completions' && operation !== 'responses') return NOTHING;
  const { store, prompt_cache_retention: retention, prompt_cache_options: options } = body;
  const kept: string[] = [];
  // A response is never stored: see `upstreamBody`.
  const isStored = operation === 'chat_completions' && store === true;
  if (isStored) kept.push('store');
  if (!SHORT_CACHES.has(retention)) kept.push('prompt_cache_retention');
  if (isRecord(options) && !SHORT_TIMES.has(options['ttl'])) kept.push('prompt_cache_options.ttl');
  if (kept.length === 0) return NOTHING;
  // OpenAI takes `metadata` of a stored completion only.
  return { losses: kept.map(keptLoss), omit: isStored ? [...kept, 'metadata'] : kept };
}

const keptLoss = (param: string): Loss => ({
  param,
  message: `The policy of your organization requires zero retention, and \`${param}\` asks the provider to keep data; it was left out.`,
});
