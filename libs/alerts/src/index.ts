export { firingMail, heldBackMail, resolvedMail, testMail, type NoticeText } from './notices/notice-mail';
export {
  alertFilterFields,
  alertMetrics,
  problemOfWatch,
  spanStartMs,
  type AlertFilter,
  type AlertMetric,
} from './rules/metrics';
export {
  freshStanding,
  judgeRule,
  noticeOfEnd,
  type AlertRuleState,
  type ResolveReason,
  type Standing,
  type Verdict,
} from './state/judge-rule';
