export { type AlertRuleState } from './rules/judge-rule';
export {
  alertMetricRules,
  alertMetrics,
  isOfCalls,
  problemOfWatch,
  type AlertFilter,
  type AlertMetric,
} from './rules/metrics';
export { testMail } from './rules/notice-mail';
