/** An action that a policy can gate. */
interface GateableAction {
  /** For the people who write policies. */
  readonly description: string;
  /** True where the change makes its target. The request then has no `target_id`. */
  readonly makesTarget?: true;
  /** The audited field with the amount that `amount_above_nanos` is compared with. */
  readonly amountField?: string;
}

const AMOUNT = 'amount_nanos';

/**
 * Every action that a policy can gate, by its name in the audit log (docs/reference/approvals.md#what-can-be-gated). Actions that
 * only take power away, such as revoking and disabling, are never listed: approval must not hinder an emergency.
 */
export const gateableActions = {
  'organization.update': { description: 'Change the organization’s settings.' },
  'member.update': { description: 'Change a member’s role.' },
  'invitation.create': { description: 'Invite a person.', makesTarget: true },
  'project.create': { description: 'Create a project.', makesTarget: true },
  'project.update': { description: 'Rename, archive or restore a project.' },
  'api_key.create': { description: 'Create an API key.', makesTarget: true },
  'api_key.update': { description: 'Rename an API key, or change its rate limits.' },
  'budget.create': { description: 'Create a budget.', makesTarget: true, amountField: AMOUNT },
  'budget.update': { description: 'Change a budget.', amountField: AMOUNT },
  'budget.delete': { description: 'Delete a budget.', amountField: AMOUNT },
  'policy.update': { description: 'Replace the data and routing policy.', makesTarget: true },
  'provider_credential.create': { description: 'Store a provider credential.', makesTarget: true },
  'provider_credential.update': { description: 'Change the weight or the rates of a provider credential.' },
  'provider_credential.rotate': { description: 'Replace the secret of a provider credential.' },
  'provider_credential.enable': { description: 'Enable a provider credential.' },
  'webhook_endpoint.create': { description: 'Create a webhook endpoint.', makesTarget: true },
  'webhook_endpoint.update': { description: 'Change, pause or enable a webhook endpoint.' },
  'webhook_endpoint.delete': { description: 'Delete a webhook endpoint.' },
  'webhook_endpoint.rotate_secret': { description: 'Rotate the signing secret of a webhook endpoint.' },
  'oauth_app.create': { description: 'Register an OAuth app.', makesTarget: true },
  'oauth_app.update': { description: 'Change an OAuth app.' },
  'oauth_app.rotate_secret': { description: 'Rotate the secret of an OAuth app.' },
  'alert_rule.create': { description: 'Create an alert rule.', makesTarget: true },
  'alert_rule.update': { description: 'Change an alert rule.' },
  'alert_rule.delete': { description: 'Delete an alert rule.' },
  'integration.create': { description: 'Create an integration.', makesTarget: true },
  'integration.update': { description: 'Change, pause or enable an integration.' },
  'integration.delete': { description: 'Delete an integration.' },
  'export.create': { description: 'Export rows to a file.', makesTarget: true },
  'payment.create': { description: 'Top up the wallet.', makesTarget: true, amountField: AMOUNT },
  'auto_top_up.update': { description: 'Change automatic top-ups.', amountField: AMOUNT },
  'fine_tuning_job.create': { description: 'Train a model.', makesTarget: true },
  'fine_tuning_endpoint.create': {
    description: 'Make an endpoint of a fine-tuned model.',
    makesTarget: true,
  },
  'fine_tuning_endpoint.update': { description: 'Change when such an endpoint stops.' },
  'fine_tuning_endpoint.start': { description: 'Start such an endpoint.' },
  'approval_policy.create': { description: 'Create an approval policy.', makesTarget: true },
} as const satisfies Readonly<Record<string, GateableAction>>;

/**
 * Every action that may have to wait. No policy can name the last three: a change of a policy waits for that policy, and
 * an invitation that is sent again for those whose approvers it would join.
 */
export type GatedAction =
  keyof typeof gateableActions | 'approval_policy.update' | 'approval_policy.delete' | 'invitation.resend';

const table: Readonly<Record<string, GateableAction>> = gateableActions;

/** The table's row of an action; undefined for an action that no policy can name. */
export const gateableAction = (action: string): GateableAction | undefined =>
  Object.hasOwn(table, action) ? table[action] : undefined;

const nounOf = (action: string): string => action.slice(0, action.lastIndexOf('.'));

/** True where a policy may list it: the name of a gateable action, or `<noun>.*` of one. */
export const isActionPattern = (text: string): boolean =>
  text.endsWith('.*')
    ? Object.keys(table).some((action) => nounOf(action) === nounOf(text))
    : gateableAction(text) !== undefined;

/** True where a listed pattern covers an action. `<noun>.*` covers the gateable actions of that noun. */
export const coversAction = (pattern: string, action: string): boolean =>
  gateableAction(action) !== undefined && (pattern === action || pattern === `${nounOf(action)}.*`);
