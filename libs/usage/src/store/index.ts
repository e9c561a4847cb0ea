export { CallHourStore } from './call-minutes/call-hour-store';
export { CallMinuteStore, type CallMinute } from './call-minutes/call-minute-store';
export { minuteSums } from './call-minutes/minute-sums';
export { MinuteUsage, type CountedTimes } from './call-minutes/minute-usage';
export { CircuitReportStore, type CircuitReport } from './circuits/circuit-report-store';
export { EdgeFactsStore, type EdgeFacts } from './circuits/edge-facts-store';
export { RefusalStore, type RefusalBatch, type RefusalCount } from './refusals/refusal-store';
export {
  RefusalSummaries,
  isRefusalGrouping,
  refusalGroupings,
  type RefusalQuery,
  type RefusalRow,
} from './refusals/refusal-summary';
export {
  RolloutMinuteStore,
  type RolloutArm,
  type RolloutMinute,
} from './rollout-minutes/rollout-minute-store';
export { usageRetention } from './usage-retention';
export { MoneyFigures } from './usage/money-figures';
export {
  isTimeGrouping,
  isUsageGrouping,
  usageGroupings,
  type UsageGroup,
  type UsageQuery,
} from './usage/usage-query';
export { countsIn, type UsageCounts, type UsageRow } from './usage/usage-row';
export { UsageStore, type RecentSpend } from './usage/usage-store';
