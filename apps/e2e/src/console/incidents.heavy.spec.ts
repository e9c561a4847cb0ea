import { type Browser, type Page } from 'playwright-core';
import { eventually } from '@svc/testing';
import { newTenant, of, type Tenant } from '../distributed/tenant';
import { inBrowser, openBrowser } from '../harness/browser';
import { visitConsole, type ConsoleVisit } from '../harness/console';
import { startSvc, type Svc } from '../harness/svc-process';
import { callApi } from '../oauth/oauth-app';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

const CREDIT_NANOS = 1_000_000_000n;

let svc: Svc;
let stranger: Tenant;
beforeAll(async () => {
  svc = await startSvc();
  stranger = await newTenant(svc, CREDIT_NANOS);
});
afterAll(() => svc.stop());

/** An incident of the operator, as it is answered. */
async function operator(path: string, body: object): Promise<{ id: string }> {
  const answer = await callApi(svc.baseUrl, 'POST', `/platform/v1${path}`, svc.platformToken ?? '', body);
  return of(201, answer) as { id: string };
}

inBrowser('incidents in the console', () => {
  let browser: Browser;
  let visit: ConsoleVisit;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  afterEach(async () => {
    await visit.context.close();
    expect(visit.problems).toEqual([]);
  });

  const opened = async (path: string): Promise<void> => {
    visit = await visitConsole(browser, svc, path);
    ({ page } = visit);
  };
  /** The organization's incidents, once the platform has told it. */
  const told = (id: string, state: string): Promise<void> =>
    eventually(async () => {
      const answer = await callApi(svc.baseUrl, 'GET', `/api/v1/incidents/${id}`, svc.apiKey);
      expect(of(200, answer)).toMatchObject({ state });
    }, 60_000);

  it('stand as a banner on other pages, lead to their updates, and are kept once they are resolved', async () => {
    const { id } = await operator('/incidents', {
      title: 'Webhooks arrive late',
      message: 'Deliveries wait for some minutes.',
      severity: 'major',
      components: ['webhooks'],
      audience: 'all',
    });
    await told(id, 'investigating');
    await opened('/console/keys');
    await page.getByText('Webhooks arrive late').waitFor();
    await page.getByRole('link', { name: 'View incident' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks arrive late' }).waitFor();
    await page.getByText('Deliveries wait for some minutes.').waitFor();

    await operator(`/incidents/${id}/updates`, { message: 'They arrive again.', state: 'resolved' });
    await told(id, 'resolved');
    await page.reload();
    await page.getByText('They arrive again.').waitFor();
    expect(await page.getByRole('link', { name: 'View incident' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Incidents', exact: true }).first().click();
    await page.getByRole('row', { name: /Webhooks arrive late.*Resolved/ }).waitFor();
  });

  it('of others show neither a banner nor a page', async () => {
    const { id } = await operator('/incidents', {
      title: 'Only theirs',
      message: 'Their calls are slow.',
      severity: 'minor',
      components: ['inference'],
      audience: 'organizations',
      organization_ids: [stranger.organizationId],
    });
    await opened(`/console/incidents/${id}`);
    await page.getByText('This incident was not found').waitFor();
    expect(await page.getByText('Only theirs').count()).toBe(0);
  });
});
