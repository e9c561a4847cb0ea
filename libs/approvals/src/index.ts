export {
  coversAction,
  gateableAction,
  gateableActions,
  isActionPattern,
  type GatedAction,
} from './actions/gateable-actions';
export {
  SECRET_PLACEHOLDER,
  type ApprovedCall,
  type ApprovedCallQueue,
  type CallInput,
  type ExecutedAnswer,
  type Execution,
  type GatedCall,
  type Requester,
  type RequesterStanding,
} from './calls/gated-call';
export {
  approvalCount,
  hasEnoughApprovers,
  isListed,
  judgeDecision,
  type Approver,
  type Decision,
  type Judgement,
  type RecordedDecision,
  type RequiredPolicy,
} from './decisions/judge-decision';
export {
  approvalStates,
  isEnded,
  stateAfter,
  type ApprovalState,
  type ApprovalTrigger,
} from './decisions/request-states';
export { disabledPolicyMail, requestMail } from './mails/approval-mails';
export {
  changesApprovers,
  gatingPolicies,
  type ApprovalPolicy,
  type Approvers,
  type AuditedChange,
} from './policies/gating-policies';
export { targetDigest } from './policies/target-digest';
