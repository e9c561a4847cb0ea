export {
  firingMail,
  heldBackMail,
  resolvedMail,
  testMail,
  type MailedRule,
  type NoticeText,
} from './notices/notice-mail';
export {
  alertFilterFields,
  alertMetrics,
  problemOfWatch,
  spanStartMs,
  type AlertFilter,
  type AlertFilterField,
  type AlertMetric,
} from './rules/metrics';
export {
  freshStanding,
  judgeRule,
  noticeOfEnd,
  type AlertRuleState,
  type Notice,
  type ResolveReason,
  type Standing,
  type Verdict,
} from './state/judge-rule';
