import { PLATFORM_LOG } from '@svc/database';
import { IncidentWatch } from './incident-watch';
import { IncidentWorld } from '../testing/incident-world';
import { watchCircuits } from './watch-circuits';

const AFTER_MS = 300_000;
/** The most that the database's clock, with the rounding of its times, differs from this process. */
const CLOCKS_MS = 5;

let world: IncidentWorld;
let watch: IncidentWatch;
beforeEach(async () => {
  world = await IncidentWorld.open();
  watch = new IncidentWatch(world.database);
});
afterEach(() => world.close());

const review = () => watchCircuits(watch, world.models, AFTER_MS);
const incidents = async () => (await world.store.listIncidents({ limit: 100, before: null }, {})).items;
const only = async () => {
  const [incident, ...others] = await incidents();
  expect(others).toEqual([]);
  return incident!;
};
/** As if that much time had passed since the circuits closed, and since the end of an incident. */
const pass = (ms: number) =>
  world.database.pool.query(
    `UPDATE incidents SET quiet_since = quiet_since - $1 * interval '1 ms',
       resolved_at = resolved_at - $1 * interval '1 ms'`,
    [ms],
  );
const openModel = async (seconds: number | null) => {
  await world.circuit('m/both', 'acme', seconds);
  await world.circuit('m/both', 'beta', seconds);
  await world.circuit('m/acme', 'acme', null);
};

it('a model whose endpoints are open gets an incident, which its callers hear of to its end', async () => {
  const [caller = ''] = await world.addOrganizations(2);
  await world.called(caller);
  await openModel(200);
  await review();
  expect(await incidents()).toEqual([]);
  const beforeMs = Date.now();
  await openModel(301);
  await review();
  // All of `beta` is open, too. It does not explain the model, which is at another provider besides.
  const [ofModel, ofProvider] = await incidents();
  expect(ofProvider).toMatchObject({ providers: ['beta'], models: [], severity: 'major' });
  expect(ofModel).toMatchObject({
    title: 'The model m/both is not available',
    state: 'investigating',
    severity: 'major',
    components: ['inference'],
    providers: [],
    models: ['m/both'],
    source: 'automatic',
    audience: 'affected',
    managed: false,
  });
  const openedMs = ofModel!.startedAt.getTime() + 301_000;
  expect(openedMs).toBeGreaterThanOrEqual(beforeMs - CLOCKS_MS);
  expect(openedMs).toBeLessThanOrEqual(Date.now() + CLOCKS_MS);
  await world.tell();
  await openModel(null);
  await review();
  await pass(AFTER_MS);
  await review();
  await world.tell();
  await pass(AFTER_MS);
  await review();
  await world.tell();
  expect(await world.heard()).toEqual(
    new Map([[caller, ['opened investigating', 'updated monitoring', 'resolved resolved']]]),
  );
});

describe('the incident of a provider', () => {
  const openAcme = async (seconds: number | null) => {
    await world.circuit('m/acme', 'acme', seconds);
    await world.circuit('m/both', 'beta', null);
  };

  it('takes the place of those of its models, and grows with what is left without an endpoint', async () => {
    await world.circuit('m/both', 'acme', 400);
    await world.circuit('m/both', 'beta', null);
    await review();
    expect(await only()).toMatchObject({ providers: ['acme'], severity: 'minor' });
    await openAcme(1);
    await review();
    expect(await only()).toMatchObject({ providers: ['acme'], severity: 'major', updateCount: 2 });
  });

  it('takes in an incident of a model that was there before', async () => {
    await openAcme(400);
    await world.circuit('m/both', 'acme', null);
    await review();
    expect(await only()).toMatchObject({ models: ['m/acme'] });
    await world.circuit('m/both', 'acme', 400);
    await review();
    await review();
    const [ofProvider, ofModel] = await incidents();
    expect(ofProvider).toMatchObject({ providers: ['acme'], state: 'investigating' });
    expect(ofModel).toMatchObject({ models: ['m/acme'], state: 'resolved' });
    expect(ofModel!.updates.at(-1)!.message).toBe(
      'This is part of an incident of the provider, which goes on.',
    );
  });

  it('opens again within 30 minutes of its end, and is another one later', async () => {
    await world.circuit('m/both', 'acme', 400);
    await world.circuit('m/both', 'beta', null);
    await review();
    const close = async () => {
      await world.circuit('m/both', 'acme', null);
      await review();
      await pass(2 * AFTER_MS);
      await review();
    };
    await close();
    expect(await only()).toMatchObject({ state: 'resolved' });
    await pass(1_500_000);
    await world.circuit('m/both', 'acme', 1);
    await review();
    expect(await only()).toMatchObject({ state: 'investigating', resolvedAt: null });
    await close();
    await pass(1_810_000);
    await world.circuit('m/both', 'acme', 400);
    await review();
    expect((await incidents()).map(({ state }) => state)).toEqual(['investigating', 'resolved']);
  });

  it('belongs to people once one of them has updated it', async () => {
    await world.circuit('m/both', 'acme', 400);
    await world.circuit('m/both', 'beta', null);
    await review();
    await world.update((await only()).id, { state: 'identified' });
    await world.circuit('m/both', 'acme', null);
    await review();
    await pass(10 * AFTER_MS);
    await review();
    expect(await only()).toMatchObject({ state: 'identified', managed: true });
    const [late = ''] = await world.addOrganizations(1);
    await world.called(late);
    await world.tell();
    expect((await world.heard()).get(late)).toEqual(['opened investigating', 'updated identified']);
  });
});

it('two workers open one incident', async () => {
  await world.circuit('m/both', 'acme', 400);
  await world.circuit('m/both', 'beta', null);
  const workers = Array.from({ length: 6 }, () => new IncidentWatch(world.database));
  await Promise.all(workers.map((each) => watchCircuits(each, world.models, AFTER_MS)));
  await review();
  await only();
});

it('a second open incident of a subject is refused by the database', async () => {
  const subject = { kind: 'model', name: 'm/both' } as const;
  await world.incident({ source: 'automatic', subject });
  await expect(world.incident({ source: 'automatic', subject })).rejects.toThrow();
});

it('a reviewed incident is in the audit log of the platform, by the system', async () => {
  await world.circuit('m/both', 'acme', 400);
  await world.circuit('m/both', 'beta', null);
  await review();
  await world.circuit('m/both', 'acme', null);
  await review();
  await pass(AFTER_MS);
  await review();
  const entries = await world.database.prisma.auditEntry.findMany({
    where: { organizationId: PLATFORM_LOG },
    orderBy: { id: 'asc' },
  });
  expect(entries.map(({ actorType, action, changes }) => [actorType, action, changes])).toEqual([
    [
      'system',
      'incident.create',
      {
        title: { to: 'The provider acme is failing' },
        severity: { to: 'minor' },
        provider: { to: 'acme' },
      },
    ],
    ['system', 'incident.update', { state: { from: 'investigating', to: 'monitoring' } }],
  ]);
});
