export { budgetPeriods, budgetScopes, EACH, type BudgetOverride } from './rules/budget/budget';
export { holdRefusedError, type HoldDecision } from './rules/budget/evaluate-budgets';
export { END_USERS_PER_DAY_DEFAULT, endUserId, isEndUserId, isKeptName } from './rules/end-users/end-user';
export { idempotencyKeyIn } from './rules/idempotency/idempotency-key';
export { callInProgress, refusalByClaim } from './rules/idempotency/judge-claim';
export {
  holdFor,
  outputLimitCoveredBy,
  promptTokenBound,
  type HoldFacts,
  type HoldRange,
} from './rules/wallet/hold';
