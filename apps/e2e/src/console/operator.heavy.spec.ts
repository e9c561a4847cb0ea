import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client } from 'pg';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { eventually } from '@svc/testing';
import { inBrowser, lookAt, openBrowser } from '../harness/browser';
import { openSession } from '../harness/database-session';
import { startSvc, type Svc } from '../harness/svc-process';

// A browser starts in seconds on a busy machine.
jest.setTimeout(240_000);

const AMOUNT = 50_000_000_000;
const WITHIN_MS = 30_000;

let svc: Svc;
let database: Client;
beforeAll(async () => {
  svc = await startSvc({ env: { SVC_PAYMENTS: 'test' } });
  const file = await readFile(join(svc.dataDir, 'database-url'), 'utf8');
  database = await openSession(file.trim());
});
afterAll(async () => {
  await database.end();
  await svc.stop();
});

const token = () => svc.platformToken ?? '';
const asOwner = (method: string, path: string, body?: object) =>
  fetch(svc.baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
const read = async (path: string) => (await (await asOwner('GET', path)).json()) as Record<string, never>;

inBrowser('the operator’s console', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    context = await browser.newContext({ reducedMotion: 'reduce', timezoneId: 'UTC' });
    page = await context.newPage();
    problems = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
  });
  afterEach(async () => {
    await context.close();
    expect(problems).toEqual([]);
  });

  async function open(path: string): Promise<void> {
    await page.goto(`${svc.baseUrl}/operator${path}`);
    await page.getByLabel('Operator’s token').fill(token());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
  }
  const said = (text: string | RegExp) => page.getByRole('status').getByText(text).waitFor();

  it('lets nobody on with another token, nor with an API key, and keeps the right one nowhere', async () => {
    await page.goto(`${svc.baseUrl}/operator/health`);
    for (const wrong of ['svc_pt_wrong', svc.apiKey]) {
      await page.getByLabel('Operator’s token').fill(wrong);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('This is not the operator’s token of this installation.').waitFor();
    }
    await page.getByLabel('Operator’s token').fill(token());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
    await context.request.post(`${svc.baseUrl}/auth/login`, {
      data: { email: svc.ready.owner_email, password: svc.ready.owner_password },
    });
    const other = await context.newPage();
    const headers: string[] = [];
    other.on('request', (request) => headers.push(JSON.stringify(request.headers())));
    await other.goto(`${svc.baseUrl}/console/`);
    await other.getByRole('navigation', { name: 'Console' }).waitFor();
    const kept = await other.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, document.documentElement.outerHTML])',
    );
    expect([...headers, kept].join()).not.toContain(token());
    expect(
      svc
        .logs()
        .split('\n')
        .filter((line) => line.startsWith('{') && line.includes(token())),
    ).toEqual([]);
    await page.reload();
    await page.getByLabel('Operator’s token').waitFor();
  });

  it('creates an organization, grants it exactly what was shown, once, and suspends it', async () => {
    await open('/');
    await page.getByRole('button', { name: 'Create organization' }).click();
    const form = page.getByRole('dialog', { name: 'Create organization' });
    await form.getByLabel('Name').fill('Fjord <b>Analytics</b>');
    await form.getByLabel('Owner’s e-mail address').fill('ada@fjord.example');
    await form.getByRole('button', { name: 'Create organization' }).click();
    const link = page.getByRole('dialog', { name: 'Share this link' });
    const url = await link.getByRole('textbox', { name: 'Invitation link' }).inputValue();
    expect(url).toContain(`/auth/invitations/svc_inv_`);
    await link.getByRole('button', { name: 'I have saved it' }).click();

    await page.getByLabel('Search by name, id or owner’s email').fill('<b>ana');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Fjord <b>Analytics</b>' }).click();
    await page.getByRole('heading', { level: 1, name: 'Fjord <b>Analytics</b>' }).waitFor();

    await page.getByText('No active owner').waitFor();
    await page.getByRole('heading', { name: 'No credit granted yet' }).waitFor();
    await page.getByRole('button', { name: 'Grant credit' }).click();
    const grant = page.getByRole('dialog', { name: 'Grant credit' });
    await grant.getByLabel('Amount').fill('10.000000001');
    await grant.getByLabel('Reason').fill('Invoice 2026-114');
    await grant.getByRole('button', { name: 'Continue' }).click();
    // The first answer is lost on its way: the grant was made, and the page cannot know it.
    await page.route('**/credit-grants', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await grant.getByRole('button', { name: 'Grant $10.000000001' }).click();
    await grant.getByRole('alert').getByText('The service cannot be reached.').waitFor();
    await page.unroute('**/credit-grants');
    await grant.getByRole('button', { name: 'Grant $10.000000001' }).click();
    await said('Granted $10.000000001.');
    await page.getByText('$10.000000001 · 10,000,000,001 nanos').first().waitFor();
    const granted = page.getByRole('table', { name: 'Credit grants' }).getByRole('row');
    await granted.getByText('Invoice 2026-114').waitFor();
    expect(await granted.count()).toBe(2);
    await lookAt(page, 'operator-organization');
    const id = page.url().split('/').at(-1)!;
    const { rows } = await database.query<{ grants: string; balance: string }>(
      `SELECT (SELECT count(*) FROM credit_grants WHERE organization_id = $1) AS grants,
              (SELECT balance_nanos FROM wallets WHERE organization_id = $1) AS balance`,
      [id],
    );
    expect(rows).toEqual([{ grants: '1', balance: '10000000001' }]);

    await page.getByRole('button', { name: 'Suspend' }).click();
    const asked = page.getByRole('alertdialog', { name: 'Suspend organization' });
    await asked.getByRole('textbox').fill('Fjord <b>Analytics</b>');
    await asked.getByRole('button', { name: 'Suspend organization' }).click();
    await said('Organization suspended.');
    await page.getByRole('button', { name: 'Reactivate' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reactivate organization' }).click();
    await said('Organization reactivated.');
  });

  it('changes the ceilings of an organization', async () => {
    await open(`/organizations/${svc.organizationId}`);
    await page.getByRole('button', { name: 'Edit limits' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit limits' });
    await dialog.getByLabel('Requests per minute', { exact: true }).fill('5,000');
    await dialog.getByRole('button', { name: 'Save limits' }).click();
    await said('Limits saved.');
    expect(await read(`/api/v1/organizations/${svc.organizationId}`)).toMatchObject({
      effective_rate_limit: { rpm: 5_000 },
    });
  });

  it('credits a payment in review once, and refunds part of it', async () => {
    const before = Number((await read('/api/v1/wallet'))['balance_nanos']);
    const answer = await asOwner('POST', '/api/v1/wallet/top-ups', { amount_nanos: AMOUNT });
    const { payment, checkout_url: checkout } = (await answer.json()) as {
      payment: { id: string };
      checkout_url: string;
    };
    const simulator = `${new URL(checkout).origin}/__simulator/payments`;
    const alter = (settings: object) =>
      fetch(simulator, { method: 'PUT', body: new URLSearchParams({ settings: JSON.stringify(settings) }) });
    await alter({ alter: { amount: 4_000 } });
    await fetch(checkout, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ action: 'pay' }),
    });
    await eventually(async () => {
      expect(await read(`/api/v1/payments/${payment.id}`)).toMatchObject({ state: 'review' });
    }, WITHIN_MS);
    await alter({});

    await open('/payments');
    await page.getByText('Another amount was paid.').waitFor();
    await lookAt(page, 'operator-payments');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Credit $50.000000000' }).click();
    await said('Payment accepted.');
    await page.getByRole('heading', { name: 'No payments need your decision' }).waitFor();
    expect(Number((await read('/api/v1/wallet'))['balance_nanos']) - before).toBe(AMOUNT);

    await page.getByLabel('State').selectOption('succeeded');
    await page.getByRole('button', { name: 'Refund' }).first().click();
    const refund = page.getByRole('dialog', { name: 'Refund payment' });
    await refund.getByLabel('Amount').fill('12.34');
    await refund.getByLabel('Reason').fill('Paid twice');
    await refund.getByRole('button', { name: 'Continue' }).click();
    await refund.getByRole('button', { name: 'Refund $12.340000000' }).click();
    await said('Refund requested.');
    await eventually(async () => {
      expect(await read(`/api/v1/payments/${payment.id}`)).toMatchObject({ refunded_nanos: 12_340_000_000 });
    }, WITHIN_MS);
  });

  it('declares an incident that an organization hears of, and resolves it', async () => {
    await open('/incidents');
    await page.getByRole('button', { name: 'Declare incident' }).click();
    const form = page.getByRole('dialog', { name: 'Declare incident' });
    await form.getByLabel('Title').fill('Slow answers');
    await form.getByLabel('Message').fill('We look into it.');
    await form.getByLabel('Inference').check();
    await form.getByLabel('Every organization').check();
    await form.getByRole('button', { name: 'Declare incident' }).click();
    await page.getByRole('heading', { level: 1, name: 'Slow answers' }).waitFor();
    const heard = (state: string) =>
      eventually(async () => {
        const { data } = (await read('/api/v1/incidents')) as unknown as { data: object[] };
        expect(data).toMatchObject([{ title: 'Slow answers', state }]);
      }, WITHIN_MS);
    await heard('investigating');
    await page.getByRole('button', { name: 'Post update' }).click();
    const update = page.getByRole('dialog', { name: 'Post update' });
    await update.getByLabel('Message').fill('A provider is slow.');
    await update.getByLabel('Identified').check();
    await update.getByRole('button', { name: 'Post update' }).click();
    await said('Update posted.');
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    const end = page.getByRole('dialog', { name: 'Resolve incident' });
    await end.getByLabel('Message').fill('It is over.');
    await end.getByRole('button', { name: 'Resolve incident' }).click();
    await said('Incident resolved.');
    await heard('resolved');
    await lookAt(page, 'operator-incident');
  });

  it('sends a parked message again, and discards one that is no event', async () => {
    const { rows } = await database.query<{ id: string; payload: string; organization_id: string }>(
      'SELECT id, payload, organization_id FROM outbox_events WHERE published_at IS NOT NULL ORDER BY id DESC LIMIT 1',
    );
    const [event] = rows;
    const anHourAgo = new Date(Date.now() - 3_600_000);
    await database.query('UPDATE outbox_events SET published_at = $2 WHERE id = $1', [event!.id, anHourAgo]);
    const park = (offset: number, key: string | null, payload: string, reason: string) =>
      database.query(
        `INSERT INTO parked_messages (consumer, topic, partition, "offset", key, payload, reason)
         VALUES ('webhooks', 'in-process', 0, $1, $2, $3, $4)`,
        [offset, key, Buffer.from(payload), reason],
      );
    await park(1, event!.organization_id, event!.payload, 'Error: <img src=x onerror=alert(1)>');
    await park(2, null, 'nothing', 'UnprocessableEvent: no event');
    await open('/parked-messages');
    await page.getByText('Error: <img src=x onerror=alert(1)>').waitFor();
    await lookAt(page, 'operator-parked-messages');
    const row = (text: string) => page.getByRole('row').filter({ hasText: text });
    await row('onerror').getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send again' }).click();
    await said('Event sent again.');
    await eventually(async () => {
      const { rows: published } = await database.query<{ is_new: boolean }>(
        'SELECT published_at > $2 AS is_new FROM outbox_events WHERE id = $1',
        [event!.id, anHourAgo],
      );
      expect(published).toEqual([{ is_new: true }]);
    }, WITHIN_MS);
    await row('UnprocessableEvent').getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard message' }).click();
    await said('Message discarded.');
    await page.getByRole('heading', { name: 'No parked messages' }).waitFor();
    await page.getByRole('radio', { name: 'Resolved' }).check();
    await row('UnprocessableEvent').waitFor();
  });

  it('sees a worker that beats, an edge that lives, and no queue that grows', async () => {
    await open('/health');
    await page.getByRole('table', { name: 'Edges' }).getByText('Live').first().waitFor();
    await eventually(async () => {
      const answer = await fetch(`${svc.baseUrl}/platform/v1/health`, {
        headers: { authorization: `Bearer ${token()}` },
      });
      expect(await answer.json()).toMatchObject({
        worker: { is_live: true },
        edges: expect.arrayContaining([expect.objectContaining({ is_live: true })]),
        queues: expect.arrayContaining([expect.objectContaining({ name: 'events', waiting: 0 })]),
      });
    }, WITHIN_MS);
    await lookAt(page, 'operator-health');
    await page.setViewportSize({ width: 375, height: 800 });
    await lookAt(page, 'operator-health-narrow');
  });
});
