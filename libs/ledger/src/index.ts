export { holdRefusedError, type HoldDecision } from './rules/budget/evaluate-budgets';
export { idempotencyKeyIn } from './rules/idempotency/idempotency-key';
export { callInProgress, refusalByClaim } from './rules/idempotency/judge-claim';
export {
  holdFor,
  outputLimitCoveredBy,
  promptTokenBound,
  type HoldFacts,
  type HoldRange,
} from './rules/wallet/hold';
