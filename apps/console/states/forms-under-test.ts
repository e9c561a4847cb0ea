import { documentedExample } from './documented-examples';
import { type Stub, type StubbedOptions } from './stubbed-console';

const ID = '06dpm2q4x8k3c0v9r7t5w1hzny';
const BELOW = `/api/v1/organizations/org_${ID}`;
const PLATFORM = '/platform/v1';
const OTHER = 'usr_00000000000000000000000000';

type Example = Readonly<Record<string, unknown>>;
const exampleOf = (path: string): Example => documentedExample('GET', path)?.body as Example;
const firstOf = (path: string): Example => (exampleOf(path) as { data: [Example] }).data[0];
const listOf = (data: readonly object[]): Stub => ({
  body: { object: 'list', data, has_more: false, next_cursor: null },
});

const approval = exampleOf(`${BELOW}/approval-requests/apr_${ID}`);
const asked = {
  ...approval,
  requested_by: { ...(approval['requested_by'] as Example), id: OTHER, user_id: OTHER },
  error: null,
  result: null,
};
const member = {
  ...firstOf(`${BELOW}/members`),
  state: 'active',
  email: 'grace@example.com',
  role: 'developer',
};
const owner = { ...member, id: 'mem_00000000000000000000000000', email: 'ada@example.com', role: 'owner' };
const credential = { ...firstOf(`${BELOW}/provider-credentials`), state: 'active', label: 'Ours' };
const model = firstOf(`${BELOW}/fine-tuning/models`);
const catalogModel = firstOf(`${BELOW}/catalog/models`);
const trainable = {
  ...catalogModel,
  id: model['base_model'],
  fine_tuning: [
    {
      provider: model['provider'],
      region: model['region'],
      hardware: [{ id: 'gpu', price_per_hour_nanos: 1 }],
    },
  ],
};
const incident = {
  ...exampleOf(`${PLATFORM}/incidents/inc_${ID}`),
  state: 'monitoring',
  source: 'manual',
  managed: true,
};
const paid = {
  ...firstOf(`${PLATFORM}/payments`),
  state: 'partially_refunded',
  amount_nanos: 50_000_000_000,
  refunded_nanos: 10_000_000_000,
  disputed_nanos: 0,
};

export interface FormUnderTest {
  /** The file that has the form, below `web/`. */
  readonly file: string;
  readonly application?: StubbedOptions['application'];
  readonly path: string;
  /** The buttons and entries of menus that open it, one after another, by their names. */
  readonly opens?: readonly string[];
  readonly answers?: Readonly<Record<string, Stub>>;
  /** A field that the API can refuse, as the API names it. */
  readonly param?: string;
}

const members = { 'GET /members': listOf([member, owner]) };
const organization = `/organizations/org_${ID}`;
const ofOperator = { application: 'operator' } as const;

/** Every form of both applications but those that `forms.heavy.spec.ts` looks at by itself. */
export const forms: readonly FormUnderTest[] = [
  {
    file: 'pages/alerts/mute.tsx',
    path: `/alerts/rules/alr_${ID}`,
    opens: ['Mute'],
    answers: {
      [`GET /alert-rules/alr_${ID}`]: {
        body: { ...exampleOf(`${BELOW}/alert-rules/alr_${ID}`), muted_until: null },
      },
    },
  },
  { file: 'pages/alerts/rule-form.tsx', path: '/alerts?tab=rules&create=true', param: 'filter.model' },
  {
    file: 'pages/approvals/decide.tsx',
    path: `/approvals/apr_${ID}`,
    opens: ['Approve'],
    answers: { [`GET /approval-requests/apr_${ID}`]: { body: asked } },
    param: 'comment',
  },
  {
    file: 'pages/approvals/policy-form.tsx',
    path: '/approvals?tab=policies&create=true',
    param: 'approvers.user_ids[0]',
  },
  { file: 'pages/budgets/budget-form.tsx', path: '/budgets?create=true', param: 'period' },
  {
    file: 'pages/budgets/override-form.tsx',
    path: `/budgets/bud_${ID}`,
    opens: ['Temporary amount…'],
    param: 'override.until',
  },
  { file: 'pages/exports/create-export.tsx', path: '/exports?create=true', param: 'start' },
  {
    file: 'pages/fine-tuning/create-endpoint.tsx',
    path: '/fine-tuning?tab=endpoints',
    opens: ['Create endpoint'],
    answers: { 'GET /catalog/models': listOf([trainable]) },
    param: 'max_hours',
  },
  {
    file: 'pages/fine-tuning/create-job.tsx',
    path: '/fine-tuning',
    opens: ['Create job'],
    answers: { 'GET /catalog/models': listOf([trainable]) },
    param: 'suffix',
  },
  {
    file: 'pages/fine-tuning/endpoint-actions.tsx',
    path: `/fine-tuning/endpoints/fte_${ID}`,
    opens: ['Change limits'],
    param: 'max_spend_nanos',
  },
  { file: 'pages/integrations/integration-form.tsx', path: '/integrations?create=true', param: 'config.url' },
  { file: 'pages/keys/edit-key.tsx', path: `/keys/key_${ID}`, opens: ['Edit'], param: 'rate_limit_rpm' },
  { file: 'pages/keys/key-form.tsx', path: '/keys?create=true', param: 'scopes[0]' },
  {
    file: 'pages/members/change-role.tsx',
    path: '/members',
    opens: ['Actions of grace@example.com', 'Change role'],
    answers: members,
    param: 'role',
  },
  { file: 'pages/members/invite-member.tsx', path: '/members?invite=true', answers: members, param: 'email' },
  { file: 'pages/oauth-apps/app-form.tsx', path: '/oauth-apps?create=true', param: 'redirect_uris[0]' },
  { file: 'pages/projects/name-project.tsx', path: '/projects?create=true', param: 'name' },
  {
    file: 'pages/provider-credentials/add-credential.tsx',
    path: '/provider-credentials?add=true',
    param: 'label',
  },
  {
    file: 'pages/provider-credentials/edit-credential.tsx',
    path: '/provider-credentials',
    opens: ['Actions of Ours', 'Edit'],
    answers: { 'GET /provider-credentials': listOf([credential]) },
    param: 'weight',
  },
  {
    file: 'pages/provider-credentials/rotate-credential.tsx',
    path: '/provider-credentials',
    opens: ['Actions of Ours', 'Replace the secret'],
    answers: { 'GET /provider-credentials': listOf([credential]) },
    param: 'secret',
  },
  {
    file: 'pages/settings/change-password.tsx',
    path: '/settings',
    opens: ['Change password'],
    param: 'new_password',
  },
  { file: 'pages/settings/rename-organization.tsx', path: '/settings', opens: ['Rename'], param: 'name' },
  {
    file: 'pages/start/key-step.tsx',
    path: '/start',
    answers: { 'GET /requests': listOf([]) },
    param: 'project_id',
  },
  {
    file: 'pages/wallet/auto-top-up-form.tsx',
    path: '/wallet?tab=auto-top-up',
    opens: ['Switch on'],
    param: 'payment_method_id',
  },
  { file: 'pages/wallet/add-credit.tsx', path: '/wallet?add=true', param: 'amount_nanos' },
  {
    file: 'pages/webhooks/bulk-retry.tsx',
    path: `/webhooks/whe_${ID}/deliveries`,
    opens: ['Send failed again since…'],
    param: 'since',
  },
  { file: 'pages/webhooks/endpoint-form.tsx', path: '/webhooks?create=true', param: 'url' },
  {
    file: 'pages/webhooks/send-test.tsx',
    path: `/webhooks/whe_${ID}`,
    opens: ['Send test'],
    param: 'event_type',
  },
  {
    ...ofOperator,
    file: 'operator/pages/incidents/declare-incident.tsx',
    path: '/incidents?declare=true',
    param: 'models[0]',
  },
  {
    ...ofOperator,
    file: 'operator/pages/incidents/update-incident.tsx',
    path: `/incidents/inc_${ID}`,
    opens: ['Post update'],
    answers: { [`GET ${PLATFORM}/incidents/inc_${ID}`]: { body: incident } },
    param: 'message',
  },
  {
    ...ofOperator,
    file: 'operator/pages/organizations/disable-policy.tsx',
    path: organization,
    opens: ['Disable an approval policy'],
    param: 'reason',
  },
  {
    ...ofOperator,
    file: 'operator/pages/organizations/grant-credit.tsx',
    path: organization,
    opens: ['Grant credit'],
  },
  {
    ...ofOperator,
    file: 'operator/pages/organizations/owner-form.tsx',
    path: '/?create=true',
    param: 'owner_email',
  },
  {
    ...ofOperator,
    file: 'operator/pages/organizations/reset-password.tsx',
    path: '/',
    opens: ['Reset a password'],
    param: 'email',
  },
  {
    ...ofOperator,
    file: 'operator/pages/payments/refund-payment.tsx',
    path: '/payments',
    opens: ['Refund'],
    answers: { [`GET ${PLATFORM}/payments`]: listOf([paid]) },
  },
];
