import { type ParsedCall } from '@svc/protocol';

import { type BetaTerms, type Model, type ModelEndpoint } from '../catalog/catalog';
import { dearestPrices } from '../pricing/prices';
import { nativeOperation } from './native-operation';
import { type RoutingCall } from './routing-facts';

/** Betas that change the price, by the beginning of their names (docs/reference/models-and-catalog.md#priced-betas). */
const LONG_CONTEXT = 'context-1m-';
const FAST_MODE = 'fast-mode-';

type AskingCall = Pick<RoutingCall, 'operation' | 'anthropic' | 'isFast'>;

/** Whether the call asks for the fast mode of Anthropic's models. */
export const isFastCall = ({ operation, body }: ParsedCall): boolean =>
  operation === 'messages' && body['speed'] === 'fast';

/** Anthropic's headers are sent where a messages call needs no translation. */
export const takesAnthropicHeaders = (
  { provider }: ModelEndpoint,
  operation: RoutingCall['operation'],
): boolean => operation === 'messages' && nativeOperation[provider.protocol] === 'messages';

/** What the call asks for that changes the price and has none at the endpoint. Null for nothing. */
export function unpriced(endpoint: ModelEndpoint, call: AskingCall): 'anthropic-beta' | 'speed' | null {
  if (!asksForBetas(endpoint, call)) return null;
  const priced = [...(endpoint.betas?.keys() ?? [])];
  const changesPrice = (name: string): boolean => name.startsWith(LONG_CONTEXT) || name.startsWith(FAST_MODE);
  if (call.anthropic.betas.some((name) => changesPrice(name) && !priced.includes(name)))
    return 'anthropic-beta';
  return call.isFast && !priced.some((name) => name.startsWith(FAST_MODE)) ? 'speed' : null;
}

/** The endpoint with the prices of the call's betas. */
export function endpointAsAsked(endpoint: ModelEndpoint, call: AskingCall): ModelEndpoint {
  const [first, ...others] = termsAsked(endpoint, call).map(({ prices }) => prices);
  return first === undefined ? endpoint : { ...endpoint, prices: dearestPrices(first, others) };
}

/** The model with the longest context window that the call's betas give it in the plan. */
export function modelAsAsked(
  model: Model,
  planned: readonly { readonly endpoint: ModelEndpoint }[],
  call: AskingCall,
): Model {
  let { contextWindow } = model;
  for (const { endpoint } of planned) {
    for (const terms of termsAsked(endpoint, call)) {
      contextWindow = Math.max(contextWindow, terms.contextWindow ?? 0);
    }
  }
  return contextWindow === model.contextWindow ? model : { ...model, contextWindow };
}

const NO_TERMS: readonly BetaTerms[] = [];

/** A beta for the fast mode has a price only where the call asks for that mode. */
function termsAsked(endpoint: ModelEndpoint, call: AskingCall): readonly BetaTerms[] {
  if (endpoint.betas === undefined || !asksForBetas(endpoint, call)) return NO_TERMS;
  const asked = [...endpoint.betas].filter(([name]) =>
    name.startsWith(FAST_MODE) ? call.isFast : call.anthropic.betas.includes(name),
  );
  return asked.map(([, terms]) => terms);
}

const asksForBetas = (endpoint: ModelEndpoint, { operation, anthropic, isFast }: AskingCall): boolean =>
  (anthropic.betas.length > 0 || isFast) && takesAnthropicHeaders(endpoint, operation);
