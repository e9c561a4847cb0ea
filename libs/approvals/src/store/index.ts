export {
  ApprovalPolicyStore,
  type ApprovalPolicyRecord,
  type ApprovalPolicySettings,
} from './approval-policy-store';
export {
  approvedAnswerContext,
  approvedCallContext,
  type ApprovalRequestRecord,
} from './approval-request-record';
export { ApprovalRequestStore, type ApprovalRequestFilter } from './approval-request-store';
export { approvalRetention } from './approval-retention';
export { ApprovalUpkeep } from './approval-upkeep';
export { Mutations, type ChangeAuthor, type Mutation } from './mutations';
export { queueMails } from './queue-mails';
export { standingOf } from './requester';
