export { AlertEvaluation } from './alert-evaluation';
export { notificationsOf, type NotificationRecord } from './alert-notifications';
export { alertRetention } from './alert-retention';
export { type AlertRuleRecord, type AlertRuleSettings } from './alert-rule-record';
export { AlertRuleStore, type AlertRuleBreak, type AlertRuleFilter } from './alert-rule-store';
export { AlertStore, type AlertRecord } from './alert-store';
