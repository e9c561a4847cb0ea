import { AlertWorld } from './alert-world';

let world: AlertWorld;
beforeAll(async () => {
  world = await AlertWorld.open();
});
afterAll(() => world.close());

it('rules of the wallet and of a budget fire once and resolve, which webhooks, mails and the API tell', async () => {
  const available = (await world.api('GET', '/wallet')).available_nanos as number;
  const budgetId = await world.newTinyBudget();
  await world.watch({
    wallet_available_nanos: { threshold: available - 1 },
    wallet_runway_hours: { threshold: 1_000_000_000 },
    budget_consumed_bps: { threshold: 10_000, filter: { budget_id: budgetId } },
  });
  expect(await world.call()).toBe(200);
  await world.statesAre('firing', 'wallet_available_nanos', 'wallet_runway_hours', 'budget_consumed_bps');

  await world.grant(1_000_000_000_000_000);
  await world.api('PATCH', `/budgets/${budgetId}`, { amount_nanos: 1_000_000_000_000 });
  await world.statesAre('ok', 'wallet_available_nanos', 'wallet_runway_hours', 'budget_consumed_bps');
  await world.allFiredOnceAndResolved();
});
