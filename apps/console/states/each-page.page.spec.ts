import { consoles, describePages, problemsOfState } from './stubbed-console';

/** As the documents have it, after the prefix of its kind. */
const ID = '06dpm2q4x8k3c0v9r7t5w1hzny';

/** Every page with its `h1`. What each does in every state, `npm run test:console` shows. */
const PAGES: readonly (readonly [path: string, heading: string | RegExp])[] = [
  ['/', 'Overview'],
  ['/alerts', 'Alerts'],
  ['/alerts?tab=rules', 'Alerts'],
  [`/alerts/rules/altr_${ID}`, /.+/],
  ['/approvals', 'Approvals'],
  ['/approvals?tab=policies', 'Approvals'],
  ['/audit', 'Audit log'],
  ['/budgets', 'Budgets'],
  [`/budgets/bud_${ID}`, /.+/],
  ['/exports', 'Exports'],
  ['/fine-tuning', 'Fine-tuning'],
  ['/fine-tuning?tab=models', 'Fine-tuning'],
  ['/fine-tuning?tab=files', 'Fine-tuning'],
  ['/fine-tuning?tab=endpoints', 'Fine-tuning'],
  ['/incidents', 'Incidents'],
  ['/integrations', 'Integrations'],
  ['/keys', 'Keys'],
  [`/keys/key_${ID}`, /.+/],
  ['/members', 'Members'],
  ['/members?tab=invitations', 'Members'],
  ['/models', 'Models'],
  ['/oauth-apps', 'OAuth apps'],
  ['/oauth-apps?tab=grants', 'OAuth apps'],
  ['/playground', 'Playground'],
  ['/projects', 'Projects'],
  ['/provider-credentials', 'Provider credentials'],
  ['/refusals', 'Refused calls'],
  ['/requests', 'Requests'],
  [`/requests/req_${ID}`, 'Request'],
  ['/routing', 'Routing'],
  ['/settings', 'Settings'],
  ['/start', /.+/],
  ['/wallet', 'Wallet'],
  ['/wallet?tab=auto-top-up', 'Wallet'],
  ['/webhooks', 'Webhooks'],
  [`/webhooks/whe_${ID}`, /.+/],
];

/** The same of the operator's console. */
const OPERATOR_PAGES: typeof PAGES = [
  ['/', 'Organizations'],
  [`/organizations/org_${ID}`, /.+/],
  ['/payments', 'Payments'],
  ['/incidents', 'Incidents'],
  [`/incidents/inc_${ID}`, /.+/],
  ['/parked-messages', 'Parked messages'],
  ['/health', 'Health'],
];

describePages.each([
  ['console', PAGES],
  ['operator', OPERATOR_PAGES],
] as const)('each page of the %s', (application, pages) => {
  const open = consoles();

  it.each(pages)(
    'at %s shows the documented examples, asks for nothing that is refused, and scrolls only down',
    async (path, heading) => {
      // A query about one thing can be refused for two.
      const { page } = await open({ application, path, listed: 2 });
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      expect(await page.getByRole('main').getByRole('alert').allTextContents()).toEqual([]);
      expect(await problemsOfState(page)).toEqual([]);
    },
  );
});
