export { disabledPolicyMail } from './rules/approval-mails';
export { gateableActions, isActionPattern, type GatedAction } from './rules/gateable-actions';
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
} from './rules/gated-call';
export { hasEnoughApprovers, type Decision } from './rules/judge-decision';
export { approvalStates } from './rules/request-states';
