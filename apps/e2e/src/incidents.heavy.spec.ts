import { type Browser } from 'playwright-core';
import { eventually } from '@svc/testing';
import { newTenant, of, type Tenant } from './distributed/tenant';
import { WebhookReceiver } from './distributed/webhook-receiver';
import { inBrowser, lookAt, openBrowser } from './harness/browser';
import { catalogOf, testModel } from './harness/catalog-file';
import { directed, post } from './harness/clients';
import { startSimulator, type Simulator } from './harness/simulator-process';
import { startSvc, type Svc } from './harness/svc-process';
import { callApi } from './oauth/oauth-app';

const AFTER_SECONDS = 2;
const CREDIT_NANOS = 1_000_000_000n;

let simulator: Simulator;
let svc: Svc;
let receiver: WebhookReceiver;
let caller: Tenant;
let bystander: Tenant;

beforeAll(async () => {
  simulator = await startSimulator();
  receiver = await WebhookReceiver.start();
  svc = await startSvc({
    catalog: catalogOf({ name: 'acme', url: simulator.url }),
    env: {
      SVC_INCIDENT_AFTER_SECONDS: String(AFTER_SECONDS),
      SVC_STATUS_PAGE: 'true',
      SVC_WEBHOOK_ALLOW_PRIVATE: 'true',
    },
  });
  caller = await newTenant(svc, CREDIT_NANOS);
  bystander = await newTenant(svc, CREDIT_NANOS);
  for (const tenant of [caller, bystander]) {
    const endpoint = { url: `${receiver.url}/${tenant.organizationId}`, event_types: ['incident.*'] };
    of(201, await callApi(svc.baseUrl, 'POST', '/api/v1/webhook-endpoints', tenant.apiKey, endpoint));
  }
});
afterAll(async () => {
  await svc.stop();
  await receiver.close();
  await simulator.stop();
});

const operator = (method: string, path: string, body?: object) =>
  callApi(svc.baseUrl, method, `/platform/v1${path}`, svc.platformToken ?? '', body);
const heardBy = ({ organizationId }: Tenant) =>
  receiver.arrivals
    .filter(({ endpoint }) => endpoint === `/${organizationId}`)
    .map(({ eventType }) => eventType);
const call = (directive: Record<string, unknown>) =>
  post(
    svc,
    '/v1/chat/completions',
    { model: testModel, max_tokens: 10, messages: [directed(directive, 'Hello')] },
    { headers: { authorization: `Bearer ${caller.apiKey}` } },
  );
const incidentsOf = async ({ apiKey }: Tenant) =>
  of(200, await callApi(svc.baseUrl, 'GET', '/api/v1/incidents', apiKey)).data;

it('an upstream that fails makes an incident, of which its callers alone hear, until it answers again', async () => {
  await eventually(async () => {
    expect((await call({ status: 500 })).status).toBe(503);
  }, 20_000);
  await eventually(() => {
    expect(heardBy(caller)).toEqual(['incident.opened']);
  }, 60_000);
  const [incident] = await incidentsOf(caller);
  expect(incident).toMatchObject({
    title: 'The provider acme-chat is failing',
    state: 'investigating',
    severity: 'minor',
    components: ['inference'],
    providers: ['acme-chat'],
    models: [],
    source: 'automatic',
  });
  expect(await incidentsOf(bystander)).toEqual([]);
  const foreign = await callApi(svc.baseUrl, 'GET', `/api/v1/incidents/${incident.id}`, bystander.apiKey);
  expect(foreign.status).toBe(404);

  await eventually(async () => {
    expect((await call({})).status).toBe(200);
  }, 60_000);
  await eventually(() => {
    expect(heardBy(caller).at(-1)).toBe('incident.resolved');
  }, 60_000);
  expect(heardBy(caller).slice(0, 2)).toEqual(
    heardBy(caller).length === 2
      ? ['incident.opened', 'incident.resolved']
      : ['incident.opened', 'incident.updated'],
  );
  expect(heardBy(bystander)).toEqual([]);
});

inBrowser('the status page, in a real browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('is for everybody: on a phone, on a desktop, in the dark and without JavaScript', async () => {
    const opened = of(
      201,
      await operator('POST', '/incidents', {
        title: 'Webhooks arrive late',
        message: 'Deliveries wait up to ten minutes.\nNone is lost.',
        severity: 'minor',
        components: ['webhooks'],
        audience: 'all',
      }),
    );
    const update = { message: 'A full disk was the cause. It has room again.', state: 'monitoring' };
    of(201, await operator('POST', `/incidents/${String(opened.id)}/updates`, update));
    const url = `${svc.baseUrl}/status`;
    await eventually(async () => {
      expect(await (await fetch(url)).text()).toContain('A full disk was the cause.');
    }, 30_000);
    for (const [name, viewport] of [
      ['phone', { width: 375, height: 812 }],
      ['desktop', { width: 1280, height: 800 }],
    ] as const) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const context = await browser.newContext({ viewport, colorScheme });
        const page = await context.newPage();
        await page.goto(url);
        expect(await page.title()).toContain('Partially Degraded Service');
        await lookAt(page, `status/${name}-${colorScheme}`);
        await context.close();
      }
    }
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const page = await plain.newPage();
    await page.goto(url);
    expect(await page.innerText('main')).toContain('Webhooks arrive late');
    await plain.close();
    of(
      201,
      await operator('POST', `/incidents/${String(opened.id)}/updates`, {
        message: 'Over.',
        state: 'resolved',
      }),
    );
    await eventually(() => {
      // Deliveries to an endpoint overtake each other.
      expect(heardBy(bystander).sort()).toEqual(['incident.opened', 'incident.resolved', 'incident.updated']);
    }, 30_000);
  });
});
