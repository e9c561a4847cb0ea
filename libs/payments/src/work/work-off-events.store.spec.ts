import { nanos } from '@svc/kernel';
import { UnitOfWork } from '@svc/database';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemIds } from '@svc/runtime';
import { createLogger, createMetrics, type Registry } from '@svc/runtime/observability';
import { ProviderUnavailable } from '../rules/provider';
import { PaymentStore } from '../store/payment-store';
import { ProviderEventStore } from '../store/provider-event-store';
import { givenUpEvents, workOffEvents } from './work-off-events';

const DAY_MS = 86_400_000;
/** One in a hundred or so is not due yet without the rounding. */
const TIMES = 300;
let test: TestDatabase;
let events: ProviderEventStore;
let metrics: Registry;
let logs: string[];
let asked: string[];
let work: () => ReturnType<typeof workOffEvents>;

beforeEach(async () => {
  test = await emptyTestDatabase();
  events = new ProviderEventStore(test.database);
  metrics = createMetrics('worker');
  [logs, asked] = [[], []];
  const destination = { write: (line: string) => void logs.push(line) };
  const parts = {
    events,
    logger: createLogger({ service: 'worker', level: 'info' }, destination),
    givenUp: givenUpEvents(metrics),
    provider: {
      paymentIdOf: (intent: string) => {
        asked.push(intent);
        if (intent.startsWith('pi_lost')) return Promise.reject(new ProviderUnavailable('no answer'));
        return Promise.resolve(intent.replace('pi_of_', ''));
      },
    },
  };
  work = () => workOffEvents(parts);
});
afterEach(() => test.close());

const store = (id: string, intentReference: string) =>
  events.storeProviderEvent({
    id,
    type: 'charge.dispute.created',
    paymentId: null,
    reference: null,
    intentReference,
  });
const stored = (id: string) => test.database.prisma.providerEvent.findUniqueOrThrow({ where: { id } });
const overdue = () => test.database.prisma.providerEvent.updateMany({ data: { dueAt: new Date(0) } });
const aged = (ms: number) =>
  test.database.prisma.providerEvent.updateMany({ data: { receivedAt: new Date(Date.now() - ms) } });

async function newPayment(): Promise<string> {
  const { id: organizationId } = await test.database.prisma.organization.create({
    data: { id: systemIds('organization'), name: 'Acme' },
  });
  const id = systemIds('payment');
  await new UnitOfWork(test.database).transaction((tx) =>
    new PaymentStore(test.database).createPayment(tx, {
      id,
      organizationId,
      amount: nanos(5_000_000_000n),
      livemode: false,
      successUrl: null,
      cancelUrl: null,
      idempotencyKey: null,
      createdBy: { type: 'user', id: 'usr_1' },
      at: new Date(),
    }),
  );
  return id;
}

describe('an event that cannot be looked up', () => {
  it('blocks no later one, however many of them wait', async () => {
    for (let at = 0; at < 600; at++) await store(`evt_lost_${String(at)}`, `pi_lost_${String(at)}`);
    const payment = await newPayment();
    await store('evt_later', `pi_of_${payment}`);

    for (let runs = 0; runs < 40 && (await work()).more; runs++);
    // An event that was looked up is worked off by the next run.
    await work();

    expect(await stored('evt_later')).toMatchObject({ paymentId: payment, result: 'nudged' });
  });

  it('is looked up and logged again later only', async () => {
    await store('evt_lost', 'pi_lost');
    for (let runs = 0; runs < 10; runs++) await work();
    expect(asked).toEqual(['pi_lost']);
    expect(logs).toHaveLength(1);

    await overdue();
    await work();
    await work();
    expect(asked).toHaveLength(2);
    expect(await stored('evt_lost')).toMatchObject({ tries: 2, result: null });
  });

  it('is given up after a day, which a metric and an error in the log tell once', async () => {
    await store('evt_lost', 'pi_lost');
    await work();
    await aged(DAY_MS - 60_000);
    await overdue();
    await work();
    expect(await stored('evt_lost')).toMatchObject({ result: null });
    await aged(DAY_MS + 60_000);
    await overdue();
    await work();
    await work();

    expect(await stored('evt_lost')).toMatchObject({ result: 'given_up' });
    expect(asked).toHaveLength(3);
    const counted = metrics.getSingleMetric('svc_payment_events_given_up_total')?.get();
    expect(await counted).toMatchObject({ values: [{ value: 1 }] });
    const errors = logs.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
    expect(errors).toMatchObject([{ event_id: 'evt_lost', msg: 'payment event given up' }]);
  });

  it('is worked off once the provider answers again', async () => {
    const payment = await newPayment();
    await store('evt_lost', 'pi_lost');
    await work();
    await test.database.prisma.providerEvent.updateMany({ data: { intentReference: `pi_of_${payment}` } });
    await overdue();
    await work();
    await work();
    expect(await stored('evt_lost')).toMatchObject({ paymentId: payment, result: 'nudged' });
  });
});

describe('an event that was looked up', () => {
  it('is worked off by the next statement, at whatever part of a millisecond it was', async () => {
    const payment = await newPayment();
    let workedOff = 0;
    for (let at = 0; at < TIMES; at++) {
      await store(`evt_${String(at)}`, 'pi_1');
      await events.match(`evt_${String(at)}`, payment);
      workedOff += await events.nudge(1);
    }
    expect(workedOff).toBe(TIMES);
  });
});
