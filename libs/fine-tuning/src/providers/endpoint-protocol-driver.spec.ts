import { buildProjects, eventually } from '@svc/testing';
import { type EndpointDriver } from '../rules/provider/endpoint-driver';
import { ProviderRefusal, ProviderUnreachable } from '../rules/provider/provider-failure';
import { EndpointProtocolDriver } from './endpoint-protocol-driver';
import { SimulatorProcess } from './testing/simulator-process';

const AT_ONCE = { start_ms: 0, stop_ms: 0 };
/** Of questions that get no answer. */
const BOUND_MS = 1_500;

let simulator: SimulatorProcess;
let driver: EndpointDriver;
let made = 0;

beforeAll(async () => {
  simulator = await SimulatorProcess.start(buildProjects);
  driver = new EndpointProtocolDriver({ provider: simulator.provider, secret: null });
});
afterAll(() => simulator.stop());
beforeEach(() => simulator.direct(AT_ONCE));

const newEndpoint = () => ({
  name: `fter_${String(++made)}`,
  model: 'ft:sim-small:svc-simulator::1',
  hardware: 'sim-gpu',
  idleTimeoutMinutes: 75,
});

it('starts an endpoint, which serves by its name, and stops it', async () => {
  await simulator.direct({ start_ms: 200, stop_ms: 200 });
  const asked = newEndpoint();
  const { id, state } = await driver.create(asked);
  expect(state).toBe('pending');
  const serving = await eventually(async () => {
    const now = await driver.state(id);
    expect(now).toMatchObject({ id, state: 'started', servedUntil: null });
    return now!;
  });
  expect(serving.servingSince).toBeInstanceOf(Date);
  const call = await fetch(`${simulator.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: serving.inferenceModel, messages: [{ role: 'user', content: 'x' }] }),
  });
  expect(call.status).toBe(200);
  expect(await driver.stop(id)).toMatchObject({ state: 'stopping' });
  await eventually(async () => {
    const stopped = await driver.state(id);
    expect(stopped?.state).toBe('stopped');
    expect(stopped!.servedUntil!.getTime()).toBeGreaterThanOrEqual(stopped!.servingSince!.getTime());
  });
});

it('changes after how long without calls one stops by itself', async () => {
  const { id, idleTimeoutMinutes } = await driver.create(newEndpoint());
  expect(idleTimeoutMinutes).toBe(75);
  await driver.changeIdleTimeout(id, 105);
  expect(await driver.state(id)).toMatchObject({ idleTimeoutMinutes: 105 });
  expect(await driver.changeIdleTimeout('endpoint-none', 105)).toBeNull();
});

it('finds one by its name, and only by that', async () => {
  const [asked, other] = [newEndpoint(), newEndpoint()];
  await driver.create(other);
  const { id } = await driver.create(asked);
  expect((await driver.find(asked.name))?.id).toBe(id);
  expect(await driver.find('fter_unknown')).toBeNull();
});

it('finds one whose answer was lost, so that none is started twice', async () => {
  const asked = newEndpoint();
  await simulator.direct({ ...AT_ONCE, fault: 'lost_answer', fault_count: 1 });
  await expect(driver.create(asked)).rejects.toThrow(ProviderUnreachable);
  expect(await driver.find(asked.name)).toMatchObject({ state: 'started' });
});

it('stops what is stopped, and removes what is gone, without complaint', async () => {
  const { id } = await driver.create(newEndpoint());
  await driver.stop(id);
  expect(await driver.stop(id)).toMatchObject({ state: 'stopped' });
  await driver.remove(id);
  await driver.remove(id);
  expect(await driver.state(id)).toBeNull();
  expect(await driver.stop(id)).toBeNull();
});

it('repeats an order to stop that was not followed', async () => {
  await simulator.direct({ ...AT_ONCE, ignored_stops: 1 });
  const { id } = await driver.create(newEndpoint());
  expect(await driver.stop(id)).toMatchObject({ state: 'started' });
  expect(await driver.stop(id)).toMatchObject({ state: 'stopped' });
});

it('tells a refusal, a failed start and one that is gone', async () => {
  await simulator.direct({ ...AT_ONCE, endpoint: 'refused' });
  const refusal = await driver.create(newEndpoint()).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ProviderRefusal);
  expect(refusal).toMatchObject({ providerCode: 'no_capacity', subject: 'other' });
  await simulator.direct({ ...AT_ONCE, endpoint: 'fails' });
  expect(await driver.create(newEndpoint())).toMatchObject({ state: 'error', servingSince: null });
  await simulator.direct({ ...AT_ONCE, gone_after_ms: 0 });
  const { id } = await driver.create(newEndpoint());
  expect(await driver.state(id)).toBeNull();
});

it.each(['reset', 'silence', 'error', 'malformed'])(
  'that meets every question with %s is not taken at its word, and never waited for',
  async (fault) => {
    await simulator.direct({ fault });
    const impatient = new EndpointProtocolDriver({ provider: simulator.provider, secret: null }, BOUND_MS);
    const questions = await Promise.allSettled([
      impatient.create(newEndpoint()),
      impatient.find('x'),
      impatient.state('endpoint-1'),
      impatient.stop('endpoint-1'),
    ]);
    // All have ended, though silence never does.
    for (const question of questions) {
      expect(question).toMatchObject({ status: 'rejected', reason: { name: 'ProviderUnreachable' } });
    }
  },
);
