export {
  modelNamed,
  type BetaTerms,
  type Catalog,
  type FineTuningOffer,
  type Model,
  type ModelEndpoint,
  type Provider,
  type ProviderProtocol,
} from './catalog/catalog';
export { envCredential, type EnvCredential } from './catalog/env-credentials';
export { parseCatalog, parseCatalogFiles } from './catalog/parse-catalog';
export { costOf, FEMTO_BPS_PER_NANO, roundUpToNanos } from './pricing/cost-of';
export { explainCost, storedRates } from './pricing/explain-cost';
export {
  FEMTOS_PER_NANO,
  FREE_PRICES,
  WHOLE_BPS,
  dearestPrices,
  nanosPerToken,
  pricePerToken,
  type PricePerToken,
  type Prices,
  type TokenRates,
} from './pricing/prices';
export { countedPromptBound, type PromptCount } from './tokens/counted-prompt-bound';
export { outputTokensWithoutLimit } from './tokens/output-limit';
export { estimatedPromptTokens, promptWindow } from './tokens/prompt-tokens';
