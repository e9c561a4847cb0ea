import { isRecord, type JsonRecord } from '../json/byte-text';
import { type Operation } from './operation';

/** Features that a body can ask for at another price than that of the model's tokens. */
export type PricedFeature = FastMode | Advisors;
interface FastMode {
  readonly name: 'fast_mode';
}
/** Other models that the provider calls, and bills, in the middle of an answer. */
interface Advisors {
  readonly name: 'advisor';
  /** By the provider's names; empty for one without a name. */
  readonly models: readonly string[];
}

const NONE: readonly PricedFeature[] = [];
const FAST_MODE: FastMode = { name: 'fast_mode' };
const ADVISOR = 'advisor_';

export function pricedFeaturesOf(operation: Operation, body: JsonRecord): readonly PricedFeature[] {
  if (operation !== 'messages') return NONE;
  const isFast = body['speed'] === 'fast';
  const hasAdvisor = Array.isArray(body['tools']) && body['tools'].some(isAdvisor);
  if (!isFast && !hasAdvisor) return NONE;
  return [...(isFast ? [FAST_MODE] : []), ...(hasAdvisor ? [advisorsOf(body['tools'] as unknown[])] : [])];
}

const advisorsOf = (tools: readonly unknown[]): Advisors => ({
  name: 'advisor',
  models: tools.filter(isAdvisor).map(({ model }) => (typeof model === 'string' ? model : '')),
});

const isAdvisor = (tool: unknown): tool is JsonRecord =>
  isRecord(tool) && typeof tool['type'] === 'string' && tool['type'].startsWith(ADVISOR);
