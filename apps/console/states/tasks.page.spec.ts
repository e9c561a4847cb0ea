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

  it('finding why a call failed takes at most 2 steps', async () => {
    const row = { ...rowOf('/requests'), status: 'failed', http_status: 502, error_code: 'provider_error' };
    const { page } = await open({
      answers: { 'GET /requests': listOf([row]), [`GET /requests/req_${ID}`]: { body: row } },
    });
    const steps = countedSteps();
    await steps.press(page.getByRole('list', { name: 'Summary' }).getByRole('link', { name: 'Error rate' }));
    const failed = page.getByRole('table', { name: 'Requests' }).getByRole('row').nth(1);
    await failed.getByText('provider_error').waitFor();
    await steps.press(failed.getByRole('link').first());
    await page.getByRole('dialog').getByRole('list', { name: 'Attempts' }).waitFor();
    expect(steps.count()).toBeLessThanOrEqual(2);
  });

  it('finding what a customer’s key cost this week takes at most 3 steps', async () => {
    const usage = exampleOf('/usage') as { total: object };
    const { page } = await open({
      answers: {
        'GET /keys': listOf([{ ...rowOf('/keys'), name: 'Initech production' }]),
        'GET /usage': ({ query }) => {
          const isWeek = query.has('api_key_id') && query.has('start');
          return {
            body: { ...usage, total: { ...usage.total, customer_nanos: isWeek ? 7_250_000_000 : 1 } },
          };
        },
      },
    });
    const steps = countedSteps();
    await steps.press(page.getByRole('button', { name: /^Go to…/ }));
    await steps.fill(page.getByRole('combobox', { name: 'Page, name, id or command' }), 'initech');
    await steps.press(page.getByRole('option', { name: /^Initech production/ }));
    await page.getByText(/^Last 7 days: \$7\.25 for/).waitFor();
    expect(steps.count()).toBeLessThanOrEqual(3);
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
