import { type Page } from 'playwright-core';
import { documentedExample } from './documented-examples';
import { describeStates } from './page-states';
import { consoles, describePages } from './stubbed-console';

const BELOW = '/api/v1/organizations/org_06dpm2q4x8k3c0v9r7t5w1hzny';
const ENDPOINT = 'whe_06dpm2q4x8k3c0v9r7t5w1hzny';
const DELIVERY = 'dlv_06dpm2q4x8k3c0v9r7t5w1hzny';
const noPermission = /Your role, Viewer, cannot see webhooks\./;
const exampleOf = (path: string) => documentedExample('GET', BELOW + path)?.body as Record<string, unknown>;
const listOf = (data: readonly object[], hasMore = false) => ({
  body: { object: 'list', data, has_more: hasMore, next_cursor: hasMore ? 'more' : null },
});
const HOSTILE = '<img src=x onerror="document.title=1">\u202e';
const SHOWN = '<img src=x onerror="document.title=1">⟨U+202E⟩';

const EVENTS = '/api/v1/webhook-events';
/** The documented list of events has this one only. */
const LISTED = 'api_key.created';
const chooseExample = async (page: Page) => {
  await page.getByRole('combobox', { name: 'Include example of' }).fill('created');
  await page.getByRole('option', { name: LISTED }).click();
  await page.getByRole('region', { name: `Example of ${LISTED}` }).waitFor();
};

describePages('the page of webhooks', () => {
  describeStates({
    path: '/webhooks',
    reads: 'GET /webhooks',
    heading: 'Webhooks',
    shown: (page) => page.getByRole('table', { name: 'Webhook endpoints' }).waitFor(),
    noPermission,
    overlays: [
      async (page) => {
        await page.getByRole('button', { name: 'Create webhook' }).click();
        await page.getByRole('radio', { name: 'Choose events' }).check();
        await page.getByRole('checkbox').first().waitFor();
      },
    ],
  });
});

describePages('the page of one webhook', () => {
  describeStates({
    path: `/webhooks/${ENDPOINT}`,
    reads: `GET /webhooks/${ENDPOINT}`,
    heading: /.+/,
    shown: (page) => page.getByRole('table', { name: 'Newest deliveries' }).waitFor(),
    noPermission,
    gone: 'This webhook was not found',
    overlays: [
      (page) => page.getByRole('button', { name: 'Delete' }).click(),
      (page) => page.getByRole('button', { name: 'Rotate secret' }).click(),
      // Last, because Escape empties its field before it closes it.
      async (page) => {
        await page.getByRole('button', { name: 'Send test' }).click();
        await chooseExample(page);
      },
    ],
  });
});

describePages('the deliveries of a webhook', () => {
  describeStates({
    path: `/webhooks/${ENDPOINT}/deliveries`,
    reads: `GET /webhooks/${ENDPOINT}/deliveries`,
    heading: 'Deliveries',
    shown: (page) => page.getByRole('table', { name: 'Deliveries' }).waitFor(),
    noPermission,
    gone: 'This webhook was not found',
    overlays: [
      (page) => page.getByRole('button', { name: 'Send failed again since…' }).click(),
      (page) => page.getByRole('search').getByRole('button', { name: 'Status' }).click(),
    ],
  });
});

describePages('the page of one delivery', () => {
  describeStates({
    path: `/webhooks/${ENDPOINT}/deliveries/${DELIVERY}`,
    reads: `GET /webhooks/deliveries/${DELIVERY}`,
    heading: /.+/,
    shown: (page) => page.getByRole('table', { name: 'Attempts' }).waitFor(),
    noPermission,
    gone: 'This delivery was not found',
  });
});

describePages('what webhooks show', () => {
  const open = consoles();

  it('says what a webhook is for, where there is none, and that none matches a filter', async () => {
    const { page } = await open({ path: '/webhooks', answers: { 'GET /webhooks': listOf([]) } });
    await page.getByText('No webhooks yet').waitFor();
    await page.goto(page.url().replace(/\/webhooks.*/, '/webhooks?state=paused'));
    await page.getByText('No webhooks match these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByText('No webhooks yet').waitFor();
  });

  it('says the state with its cause', async () => {
    const endpoint = { ...exampleOf(`/webhooks/${ENDPOINT}`), state: 'disabled', enabled: false };
    const { page } = await open({
      path: '/webhooks',
      answers: { 'GET /webhooks': listOf([{ ...endpoint, consecutive_failures: 25 }]) },
    });
    await page.getByRole('row', { name: /Disabled.*25 failures in a row/ }).waitFor();
  });

  it.each([
    ['paused', 'Waits while paused'],
    ['disabled', 'Waits while disabled'],
    ['active', 'now'],
  ])(
    'says what a delivery waits for whose time has come, at an endpoint that is %s',
    async (state, words) => {
      const endpoint = { ...exampleOf(`/webhooks/${ENDPOINT}`), state };
      const [example] = exampleOf(`/webhooks/${ENDPOINT}/deliveries`)['data'] as [object];
      const delivery = { ...example, status: 'failed', next_attempt_at: '2026-11-20T09:29:52.000Z' };
      const answers = {
        [`GET /webhooks/${ENDPOINT}`]: { body: endpoint },
        [`GET /webhooks/${ENDPOINT}/deliveries`]: listOf([delivery]),
        [`GET /webhooks/deliveries/${DELIVERY}`]: {
          body: { ...exampleOf(`/webhooks/deliveries/${DELIVERY}`), ...delivery },
        },
      };
      for (const path of ['', '/deliveries', `/deliveries/${DELIVERY}`]) {
        const { page } = await open({
          path: `/webhooks/${ENDPOINT}${path}`,
          now: '2026-11-20T09:30:12Z',
          answers,
        });
        await page.getByText(words, { exact: true }).waitFor();
        expect(await page.getByText('20 sec ago').count()).toBe(0);
      }
    },
  );

  it('does not say that nothing was sent where a delivery of an earlier day has failed', async () => {
    const figures = {
      ...(exampleOf('/webhooks/figures')['data'] as [object])[0],
      created_count: 0,
      succeeded_count: 0,
      dead_count: 0,
      waiting_count: 1,
      p95_duration_ms: null,
    };
    const { page } = await open({
      path: `/webhooks/${ENDPOINT}`,
      answers: { 'GET /webhooks/figures': listOf([figures]) },
    });
    await page.getByText('No new deliveries, 1 waiting').waitFor();
  });

  it('shows the secret in one dialog, and nowhere after it', async () => {
    const { page } = await open({ path: '/webhooks?create=true' });
    await page.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example.com/svc');
    await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click();
    const saved = page.getByRole('dialog', { name: 'Save your signing secret' });
    const secret = await saved.getByRole('textbox', { name: 'Signing secret' }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    await page.keyboard.press('Escape');
    await saved.getByRole('button', { name: 'I have saved it' }).click();
    await saved.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
  });

  it('sends the chosen events, a wildcard in the place of its names', async () => {
    const { page, calls } = await open({ path: '/webhooks?create=true' });
    await page.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example.com/svc');
    await page.getByRole('radio', { name: 'Choose events' }).check();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await dialog.getByText('Choose at least one event.').waitFor();
    const all = dialog.getByRole('checkbox', { name: /^All of / }).first();
    await all.check();
    await dialog.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('dialog', { name: 'Save your signing secret' }).waitFor();
    expect(calls.find(({ method }) => method === 'POST')?.body).toMatch(/"event_types":\["\w+\.\*"\]/);
    await page.getByRole('button', { name: 'I have saved it' }).click();
  });

  it('sends a test without an example, or with the one that it shows', async () => {
    const { page, calls } = await open({ path: `/webhooks/${ENDPOINT}` });
    const sent = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body);
    const send = async (choose: () => Promise<void>) => {
      await page.getByRole('button', { name: 'Send test' }).click();
      await choose();
      await page.getByRole('dialog').getByRole('button', { name: 'Send test' }).click();
      await page.getByRole('heading', { name: 'Attempts' }).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.goBack();
    };
    await send(() => Promise.resolve());
    await send(() => chooseExample(page));
    expect(sent()).toEqual(['{}', `{"event_type":"${LISTED}"}`]);
  });

  it('shows a long example within its dialog', async () => {
    const { page } = await open({ path: `/webhooks/${ENDPOINT}`, width: 375 });
    await page.getByRole('button', { name: 'Send test' }).click();
    await chooseExample(page);
    const tooWide = await page
      .getByRole('dialog')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(tooWide).toBe(0);
  });

  it('offers no test as an example', async () => {
    const [event] = (documentedExample('GET', EVENTS)?.body as { data: [object] }).data;
    const { page } = await open({
      path: `/webhooks/${ENDPOINT}`,
      answers: { [`GET ${EVENTS}`]: listOf([event, { ...event, type: 'webhook.test' }]) },
    });
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('combobox', { name: 'Include example of' }).click();
    await page.getByRole('option').first().waitFor();
    expect(await page.getByRole('option').allTextContents()).toEqual([expect.stringContaining(LISTED)]);
  });

  it('sends a test without an example where the events cannot be read', async () => {
    const error = { code: 'internal', message: 'It failed.', retriable: false };
    const { page, calls } = await open({
      path: `/webhooks/${ENDPOINT}`,
      answers: { [`GET ${EVENTS}`]: { status: 500, body: { error } } },
    });
    await page.getByRole('button', { name: 'Send test' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('It failed.').waitFor();
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('heading', { name: 'Attempts' }).waitFor();
    expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual(['{}']);
  });

  it('shows at its field that a URL is not allowed', async () => {
    const error = {
      code: 'url_not_allowed',
      message: 'The host is not public.',
      param: 'url',
      retriable: false,
    };
    const { page } = await open({
      path: '/webhooks?create=true',
      answers: { 'POST /webhooks': { status: 400, body: { error } } },
    });
    const url = page.getByRole('textbox', { name: 'URL' });
    await url.fill('https://10.0.0.1/');
    await page.getByRole('dialog').getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('The host is not public.').waitFor();
    expect(await url.getAttribute('aria-invalid')).toBe('true');
  });

  it('shows what a receiver answered as plain text, and why there was no answer in words', async () => {
    const delivery = exampleOf(`/webhooks/deliveries/${DELIVERY}`);
    const attempt = (delivery['attempts_log'] as [object])[0];
    const attempts_log = [
      { ...attempt, round: 1, attempt: 1, status_code: 500, error: null, response_excerpt: HOSTILE },
      {
        ...attempt,
        round: 1,
        attempt: 2,
        status_code: null,
        error: 'blocked_address',
        response_excerpt: null,
      },
    ];
    const { page } = await open({
      path: `/webhooks/${ENDPOINT}/deliveries/${DELIVERY}`,
      answers: {
        [`GET /webhooks/deliveries/${DELIVERY}`]: {
          body: { ...delivery, status: 'dead', next_attempt_at: null, attempts_log },
        },
      },
    });
    await page.getByText(SHOWN).waitFor();
    await page.getByText('The address is not public').waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('queues again until a call finds less than the most', async () => {
    const counts = [10_000, 118];
    const { page, calls } = await open({
      path: `/webhooks/${ENDPOINT}/deliveries`,
      answers: {
        [`POST /webhooks/${ENDPOINT}/deliveries/retry`]: () => ({ body: { count: counts.shift() ?? 0 } }),
      },
    });
    await page.getByRole('button', { name: 'Send failed again since…' }).click();
    await page.getByLabel('Created since').fill('2026-11-20T12:00');
    await page.getByRole('button', { name: 'Send again', exact: true }).click();
    await page.getByText('10,118 deliveries queued again.').waitFor();
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2);
  });

  it('opens a delivery whose id is pasted into the command menu', async () => {
    const { page } = await open({ path: '/webhooks' });
    await page.getByRole('table').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Page, name, id or command' }).fill(DELIVERY);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Attempts' }).waitFor();
  });
});
