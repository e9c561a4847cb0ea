import { type BetaTerms, dearestPrices, type Model, type ModelEndpoint } from '@svc/catalog';
import { type PricedFeature } from '@svc/protocol';
import { isNative } from './native-operation';
import { type PlanningFacts, type RoutingCall } from './routing-facts';

/** The beta of a longer context window. Models that have that window of their own ignore it. */
const LONG_CONTEXT = 'context-1m-';
const LONG_CONTEXT_TOKENS = 1_000_000;

/**
 * Betas that change the price once the body uses them (docs/reference/models-and-catalog.md#priced-betas). Clients name
 * them in calls that do not.
 */
const features: Readonly<Record<PricedFeature['name'], { readonly beta: string; readonly param: string }>> = {
  fast_mode: { beta: 'fast-mode-', param: 'speed' },
  advisor: { beta: 'advisor-tool-', param: 'tools' },
};

type AskingCall = Pick<RoutingCall, 'operation' | 'anthropic' | 'pricedFeatures'>;

/** Anthropic's headers are sent where a messages call needs no translation. */
export const takesAnthropicHeaders = (
  endpoint: ModelEndpoint,
  operation: RoutingCall['operation'],
): boolean => operation === 'messages' && isNative(endpoint, operation);

/** The parameter that asks for what changes the price and has none at the endpoint. Null for none. */
export function unpriced(endpoint: ModelEndpoint, call: AskingCall, facts: PlanningFacts): string | null {
  if (!asksForMore(endpoint, call)) return null;
  const { betas } = call.anthropic;
  const priced = [...(endpoint.betas?.keys() ?? [])];
  const changesPrice = (name: string): boolean => name.startsWith(LONG_CONTEXT) && !priced.includes(name);
  const window = facts.catalog.models.get(endpoint.modelId)?.contextWindow ?? 0;
  if (window < LONG_CONTEXT_TOKENS && betas.some(changesPrice)) return 'anthropic-beta';
  const feature = call.pricedFeatures.find(({ name }) => !priced.some(isBetaOf(name)))?.name;
  if (feature === undefined) return null;
  return betas.some(isBetaOf(feature)) ? 'anthropic-beta' : features[feature].param;
}

/** The endpoint with the prices of the call's betas. */
export function endpointAsAsked(endpoint: ModelEndpoint, call: AskingCall): ModelEndpoint {
  const terms = termsAsked(endpoint, call);
  return terms.length === 0
    ? endpoint
    : { ...endpoint, prices: dearestPrices(terms.map(({ prices }) => prices)) };
}

/** The model with the longest context window that the call's betas give it in the plan. */
export function modelAsAsked(
  model: Model,
  planned: readonly { readonly endpoint: ModelEndpoint }[],
  call: AskingCall,
): Model {
  if (!namesMore(call)) return model;
  let { contextWindow } = model;
  for (const { endpoint } of planned) {
    for (const terms of termsAsked(endpoint, call)) {
      contextWindow = Math.max(contextWindow, terms.contextWindow ?? 0);
    }
  }
  return contextWindow === model.contextWindow ? model : { ...model, contextWindow };
}

const NO_TERMS: readonly BetaTerms[] = [];

function termsAsked(endpoint: ModelEndpoint, call: AskingCall): readonly BetaTerms[] {
  if (endpoint.betas === undefined || !asksForMore(endpoint, call)) return NO_TERMS;
  return [...endpoint.betas].flatMap(([name, terms]) => (isAsked(name, call) ? [terms] : []));
}

function isAsked(beta: string, { anthropic, pricedFeatures }: AskingCall): boolean {
  const feature = (Object.keys(features) as PricedFeature['name'][]).find((one) => isBetaOf(one)(beta));
  if (feature === undefined) return anthropic.betas.includes(beta);
  return pricedFeatures.some(({ name }) => name === feature);
}

const isBetaOf =
  (feature: PricedFeature['name']) =>
  (name: string): boolean =>
    name.startsWith(features[feature].beta);

const namesMore = ({ anthropic, pricedFeatures }: AskingCall): boolean =>
  anthropic.betas.length + pricedFeatures.length > 0;

const asksForMore = (endpoint: ModelEndpoint, call: AskingCall): boolean =>
  namesMore(call) && takesAnthropicHeaders(endpoint, call.operation);
