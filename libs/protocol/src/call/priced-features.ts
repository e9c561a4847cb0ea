import { isRecord, type JsonRecord } from '../json/byte-text';
import { type Operation } from './operation';

/** What a body can ask a provider for at another price than that of the model's tokens. */
export type PricedFeature = 'fast_mode' | 'advisor';

const NONE: readonly PricedFeature[] = [];

/** The advisor is another model that the provider calls, and bills, in the middle of an answer. */
const ADVISOR = 'advisor_';

export function pricedFeaturesOf(operation: Operation, body: JsonRecord): readonly PricedFeature[] {
  if (operation !== 'messages') return NONE;
  const isFast = body['speed'] === 'fast';
  const hasAdvisor = Array.isArray(body['tools']) && body['tools'].some(isAdvisor);
  if (!isFast && !hasAdvisor) return NONE;
  return [...(isFast ? (['fast_mode'] as const) : []), ...(hasAdvisor ? (['advisor'] as const) : [])];
}

/** The provider's names of the models that it would call as advisors; empty for one without a name. */
export function advisorModelsOf(operation: Operation, body: JsonRecord): readonly string[] {
  if (operation !== 'messages' || !Array.isArray(body['tools'])) return NO_ADVISORS;
  const advisors = body['tools'].filter(isAdvisor);
  if (advisors.length === 0) return NO_ADVISORS;
  return advisors.map(({ model }) => (typeof model === 'string' ? model : ''));
}

const NO_ADVISORS: readonly string[] = [];

const isAdvisor = (tool: unknown): tool is JsonRecord =>
  isRecord(tool) && typeof tool['type'] === 'string' && tool['type'].startsWith(ADVISOR);
