import { formatMoneyInFull } from '../format/money';
import { formatCount } from '../format/numbers';
import { visibleText } from '../format/visible-text';

/** Words for each kind of target. */
export const nouns: Readonly<Record<string, string>> = {
  organization: 'organization',
  member: 'member',
  invitation: 'invitation of',
  project: 'project',
  api_key: 'key',
  budget: 'budget',
  policy: 'routing policy',
  provider_credential: 'provider credential',
  webhook_endpoint: 'webhook',
  webhook_delivery: 'webhook delivery',
  oauth_app: 'OAuth app',
  grant: 'grant to',
  alert: 'alert',
  alert_rule: 'alert rule',
  approval_policy: 'approval policy',
  approval_request: 'approval request',
  integration: 'integration',
  integration_delivery: 'integration delivery',
  export: 'export',
  credit_grant: 'credit',
  payment: 'payment',
  payment_method: 'saved card',
  auto_top_up: 'automatic top-up',
  incident: 'incident',
  file: 'training file',
  fine_tuning_job: 'fine-tuning job',
  fine_tuning_model: 'tuned model',
  fine_tuning_endpoint: 'endpoint of a tuned model',
};

/** The verb of a change, before the name of its target. */
export const verbs: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  revoke: 'revoked',
  rotate: 'replaced the secret of',
  rotate_secret: 'replaced the secret of',
  disable: 'disabled',
  enable: 'enabled',
  compromise: 'marked as compromised',
  resend: 'sent again',
  retry: 'sent again',
  retry_deliveries: 'sent the failed deliveries again of',
  test: 'tested',
  appoint: 'appointed',
  leave: 'left as',
  change_password: 'changed the password of',
  reset_password: 'reset the password of',
  issue_password_reset: 'issued a password reset for',
  consent: 'consented to',
  issue_tokens: 'issued tokens for',
  refresh_tokens: 'refreshed tokens of',
  revoke_tokens: 'revoked tokens of',
  cancel: 'cancelled',
  download: 'made a download link of',
  approve: 'approved',
  reject: 'rejected',
  deny: 'denied',
  execute: 'carried out',
  expire: 'let expire',
  claim_secret: 'took the secret of',
  acknowledge: 'acknowledged',
  review: 'reviewed',
  refund: 'refunded',
  succeed: 'confirmed',
};

/** Fields whose own name says less than these words. */
export const fields: Readonly<Record<string, string>> = {
  rate_limit_rpm: 'requests per minute',
  rate_limit_tpm: 'tokens per minute',
  amount_nanos: 'amount',
  threshold_nanos: 'threshold',
  monthly_cap_nanos: 'monthly limit',
  payment_method_id: 'card',
  scope_id: 'scope id',
  project_id: 'project',
  api_key_id: 'key',
  member_id: 'owner',
  allowed_ips: 'allowed addresses',
  max_cost_nanos: 'max cost per call',
  max_output_tokens: 'max output tokens per call',
  end_user_rate_limit_rpm: 'requests per minute per end user',
  end_user_rate_limit_tpm: 'tokens per minute per end user',
  expires_at: 'expiry',
  last4: 'last 4',
};

/** A value that is not there. */
const NOTHING = 'nothing';

/** A value of a field, in the words of a list. */
export function shownValue(field: string, value: unknown): string {
  if (value === null || value === undefined) return NOTHING;
  if (field.endsWith('_nanos') && (typeof value === 'bigint' || typeof value === 'number'))
    return formatMoneyInFull(BigInt(value));
  if (typeof value === 'number' || typeof value === 'bigint') return formatCount(value);
  if (typeof value === 'string') return visibleText(value);
  return visibleText(
    JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)),
  );
}

/** `requests per minute` for `rate_limit_rpm`; without words of its own, the field as words. */
export const fieldWords = (field: string): string => fields[field] ?? field.replaceAll('_', ' ');
