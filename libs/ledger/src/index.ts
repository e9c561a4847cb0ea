export { budgetPeriods, budgetScopes, EACH, type BudgetOverride } from './rules/budget/budget';
export { holdRefusedError, type HoldDecision } from './rules/budget/evaluate-budgets';
export { END_USERS_PER_DAY_DEFAULT, endUserId, isEndUserId, isKeptName } from './rules/end-users/end-user';
export { idempotencyKeyIn } from './rules/idempotency/idempotency-key';
export { callInProgress, refusalByClaim } from './rules/idempotency/judge-claim';
export { attemptPrices, callCost, NO_COST, type CallCost } from './rules/prices/call-cost';
export {
  DEFAULT_PRICES,
  PRICE_BPS_MAX,
  pricesInForce,
  walletBpsOf,
  type OrganizationPrices,
} from './rules/prices/organization-prices';
export {
  holdFor,
  outputLimitCoveredBy,
  promptTokenBound,
  type AttemptPrices,
  type HoldFacts,
  type HoldRange,
} from './rules/wallet/hold';
