import { type components } from '../../api/generated/management';

export type ApprovalRequest = components['schemas']['ApprovalRequest'];
export type ApprovalPolicy = components['schemas']['ApprovalPolicy'];
export type NewApprovalPolicy = components['schemas']['NewApprovalPolicy'];
export type ApprovalState = ApprovalRequest['state'];
export type ClaimedSecret = components['schemas']['ClaimedSecret'];
export type Role = ApprovalPolicy['approvers']['roles'][number];

/** Whether somebody can still decide. */
export const isOpen = ({ state }: Pick<ApprovalRequest, 'state'>): boolean => state === 'pending';

/** The one member of an answer that is its secret, by the kind of what was made. */
export function secretIn(answer: ClaimedSecret): { readonly kind: SecretKind; readonly secret: string } {
  if ('key' in answer) return { kind: 'key', secret: answer.key };
  if ('signing_secret' in answer) return { kind: 'signingSecret', secret: answer.signing_secret };
  if ('client_secret' in answer) return { kind: 'clientSecret', secret: answer.client_secret ?? '' };
  return { kind: 'invitation', secret: answer.accept_url };
}

export type SecretKind = 'key' | 'signingSecret' | 'clientSecret' | 'invitation';
