import { type Locator } from 'playwright-core';
import { documentedExample } from './documented-examples';
import { consoles, describePages } from './stubbed-console';

const ID = '06dpm2q4x8k3c0v9r7t5w1hzny';
const BELOW = `/api/v1/organizations/org_${ID}`;

type Example = Readonly<Record<string, unknown>>;
const exampleOf = (path: string): Example => documentedExample('GET', BELOW + path)?.body as Example;
const rowOf = (path: string): Example => (exampleOf(path)['data'] as [Example])[0];
const listOf = (data: readonly object[]) => ({
  body: { object: 'list', data, has_more: false, next_cursor: null },
});

/** Counts what somebody has to do: presses, and fields to fill. */
function countedSteps() {
  let count = 0;
  return {
    press: (control: Locator) => ((count += 1), control.click()),
    fill: (field: Locator, typed: string) => ((count += 1), field.fill(typed)),
    count: () => count,
  };
}

/** From the overview, with the most steps that each may take (docs/console/README.md). */
describePages('the five tasks that people come for', () => {
  const open = consoles();

  it('finding why a call failed takes at most 1 step', async () => {
    const attempt = (rowOf('/requests')['attempts'] as [Example])[0];
    const row = {
      ...rowOf('/requests'),
      status: 'failed',
      http_status: 502,
      error_code: 'provider_error',
      attempts: [{ ...attempt, provider: 'acme', status: 502, error: 'provider_error' }],
    };
    const { page } = await open({
      answers: { 'GET /requests': listOf([row]), [`GET /requests/req_${ID}`]: { body: row } },
    });
    const steps = countedSteps();
    const failures = page.getByRole('table', { name: 'Last failed calls' });
    await steps.press(failures.getByRole('link', { name: 'acme: 502 provider error' }));
    await page.getByRole('list', { name: 'Attempts' }).waitFor();
    expect(steps.count()).toBeLessThanOrEqual(1);
  });

  it('finding what a customer’s key cost this week takes at most 2 steps, however many keys there are', async () => {
    const usage = exampleOf('/usage') as { total: object };
    const spent = { ...rowOf('/usage'), api_key_id: `key_${ID}`, customer_nanos: 7_250_000_000 };
    const { page } = await open({
      answers: {
        'GET /keys': listOf([{ ...rowOf('/keys'), id: `key_${ID}`, name: 'Initech production' }]),
        'GET /usage': ({ query }) => {
          const days = Date.parse(query.get('end') ?? '') - Date.parse(query.get('start') ?? '');
          const isWeek = query.get('group_by') === 'api_key' && days === 7 * 86_400_000;
          return { body: isWeek ? { ...usage, data: [spent] } : usage };
        },
      },
    });
    const byName = countedSteps();
    await byName.press(page.getByRole('button', { name: /^Go to…/ }));
    await byName.fill(page.getByRole('combobox', { name: 'Page, name, id or command' }), 'initech');
    await page.getByRole('option', { name: 'Initech production Key · $7.25 in 7 days' }).waitFor();
    expect(byName.count()).toBeLessThanOrEqual(2);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const bySpend = countedSteps();
    await bySpend.press(page.getByRole('link', { name: 'Keys', exact: true }));
    await bySpend.press(page.getByRole('button', { name: 'Spend, 7 days' }));
    await page.getByRole('row', { name: /Initech production.*\$7\.25/ }).waitFor();
    expect(bySpend.count()).toBeLessThanOrEqual(2);
  });

  it('raising a budget that blocks takes at most 3 steps', async () => {
    const budget = {
      ...rowOf('/budgets'),
      action: 'block',
      enabled: true,
      amount_in_force_nanos: 10_000_000_000,
      spent_nanos: 10_000_000_000,
    };
    const { page, calls } = await open({
      answers: {
        'GET /budgets': listOf([budget]),
        [`GET /budgets/bud_${ID}`]: { body: budget },
        [`PATCH /budgets/bud_${ID}`]: { body: budget },
      },
    });
    const steps = countedSteps();
    await steps.press(
      page.getByRole('region', { name: 'Needs attention' }).getByRole('link', { name: 'Raise it' }),
    );
    const dialog = page.getByRole('dialog');
    await steps.fill(dialog.getByRole('textbox', { name: 'Amount in dollars' }), '20');
    await steps.press(dialog.getByRole('button', { name: 'Save' }));
    await dialog.waitFor({ state: 'detached' });
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toContain('"amount_nanos":20000000000');
    expect(steps.count()).toBeLessThanOrEqual(3);
  });

  it('sending the failed webhooks of an outage again takes at most 3 steps', async () => {
    const { page, calls } = await open({
      answers: {
        'GET /webhooks': ({ query }) =>
          query.get('state') === 'failing' ? listOf([rowOf('/webhooks')]) : listOf([]),
        [`POST /webhooks/whe_${ID}/deliveries/retry`]: { body: { count: 41 } },
      },
    });
    const steps = countedSteps();
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await steps.press(attention.getByRole('link', { name: '1 webhook endpoint failing.' }));
    await steps.press(page.getByRole('button', { name: 'Send failed again since…' }));
    // The last day is filled in.
    await steps.press(page.getByRole('dialog').getByRole('button', { name: 'Send again' }));
    await page.getByText('41 deliveries queued again.').waitFor();
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(steps.count()).toBeLessThanOrEqual(3);
  });

  it('topping up takes at most 3 steps until the page of the payment provider', async () => {
    const begun = documentedExample('POST', `${BELOW}/wallet/top-ups`)?.body as { payment: object };
    const checkout_url = 'https://checkout.stripe.com/c/pay/cs_1';
    const { page } = await open({
      answers: {
        'POST /wallet/top-ups': {
          status: 201,
          body: { payment: { ...begun.payment, state: 'pending', checkout_url }, checkout_url },
        },
      },
    });
    // No content: the browser stays with the page.
    await page.route('https://checkout.stripe.com/**', (route) => route.fulfill({ status: 204 }));
    const paid = page.waitForResponse(checkout_url);
    const steps = countedSteps();
    await steps.press(page.getByRole('list', { name: 'Summary' }).getByRole('link', { name: 'Add credit' }));
    const dialog = page.getByRole('dialog');
    await steps.press(dialog.getByRole('button', { name: '$50', exact: true }));
    await steps.press(dialog.getByRole('button', { name: 'Continue to payment' }));
    await paid;
    await page.unrouteAll();
    expect(steps.count()).toBeLessThanOrEqual(3);
  });
});
