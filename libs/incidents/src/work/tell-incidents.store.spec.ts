import { systemIds } from '@svc/runtime';
import { IncidentFanOut } from './incident-fan-out';
import { tellIncidents } from './tell-incidents';
import { IncidentWorld } from '../testing/incident-world';

let world: IncidentWorld;
beforeEach(async () => {
  world = await IncidentWorld.open();
});
afterEach(() => world.close());

const OPENED = 'opened investigating';

describe('who hears of an incident', () => {
  it('of everybody: each organization once', async () => {
    const ids = await world.addOrganizations(1_203);
    const { id } = await world.incident();
    await world.tell();
    const heard = await world.heard();
    expect([...heard.keys()].sort()).toEqual(ids);
    expect(new Set([...heard.values()].map((events) => events.join()))).toEqual(new Set([OPENED]));
    expect(await world.store.findIncident(id)).toMatchObject({ organizationCount: 1_203 });
  });

  it('of organizations: those that are named', async () => {
    const [first = '', , third = ''] = await world.addOrganizations(3);
    await world.incident({ audience: 'organizations', organizationIds: [third, first] });
    await world.tell();
    expect([...(await world.heard()).keys()].sort()).toEqual([first, third]);
  });

  it('of a provider or model: who called it, or tried to, in the last 24 hours', async () => {
    const [caller = '', tried = '', early = '', other = '', ofModel = ''] = await world.addOrganizations(6);
    await world.called(caller);
    await world.called(tried, { calls: 0 });
    await world.called(early, { minutesAgo: 24 * 60 + 2 });
    await world.called(other, { provider: 'beta' });
    await world.called(ofModel, { model: 'm/acme', provider: 'beta' });
    await world.incident({ audience: 'affected', providers: ['acme'], models: ['m/acme'] });
    await world.tell();
    expect([...(await world.heard()).keys()].sort()).toEqual([caller, tried, ofModel]);
  });

  it('of a provider: whom the policy leaves no other', async () => {
    const [only = '', either = '', before = '', broken = '', none = ''] = await world.addOrganizations(5);
    const policy = (organizationId: string, document: object, version = 1) =>
      world.database.prisma.policyVersion.create({
        data: { id: systemIds('policy'), organizationId, version, document },
      });
    await policy(only, { allowed_providers: ['acme'] });
    await policy(either, { allowed_models: ['m/both'] });
    await policy(before, { allowed_providers: ['acme'] });
    await policy(before, { allowed_providers: ['beta'] }, 2);
    await policy(broken, { allowed_providers: ['acme'], sort: 'by moonlight' });
    await policy(none, { denied_providers: ['beta'] });
    await world.incident({ audience: 'affected', providers: ['acme'] });
    await world.tell();
    expect([...(await world.heard()).keys()]).toEqual([only]);
  });

  it('many with a policy and many callers are told in any number of pages', async () => {
    const ids = await world.addOrganizations(900);
    const policies = ids.filter((_, at) => at % 2 === 0);
    await world.database.prisma.policyVersion.createMany({
      data: policies.map((organizationId) => ({
        id: systemIds('policy'),
        organizationId,
        version: 1,
        document: { allowed_providers: ['acme'] },
      })),
    });
    for (const id of ids.filter((_, at) => at % 3 === 0)) await world.called(id);
    await world.incident({ audience: 'affected', providers: ['acme'] });
    await world.tell();
    const heard = await world.heard();
    expect([...heard.keys()].sort()).toEqual(ids.filter((_, at) => at % 2 === 0 || at % 3 === 0));
    expect([...heard.values()].every((events) => events.length === 1)).toBe(true);
  });
});

describe('an organization', () => {
  it('hears what an event of the catalogue says, and no message', async () => {
    const [organizationId = ''] = await world.addOrganizations(1);
    const { id, startedAt } = await world.incident({ message: 'A secret of ours.' });
    await world.update(id, { state: 'resolved' });
    await world.tell();
    const events = await world.database.prisma.outboxEvent.findMany({ orderBy: { id: 'asc' } });
    expect(events.map(({ payload }) => payload).join()).not.toContain('secret');
    const { resolvedAt } = (await world.store.findIncident(id))!;
    expect(JSON.parse(events[1]!.payload)).toMatchObject({
      type: 'incident.resolved',
      organization_id: organizationId,
      data: {
        incident_id: id,
        title: 'Slow answers',
        source: 'operator',
        state: 'resolved',
        severity: 'major',
        components: ['inference'],
        providers: [],
        models: [],
        started_at: startedAt.toISOString(),
        resolved_at: resolvedAt!.toISOString(),
      },
    });
  });

  it('hears opened, updated, resolved in this order, also when all was over before the first was told', async () => {
    const ids = await world.addOrganizations(3);
    const { id } = await world.incident();
    await world.update(id, { state: 'identified' });
    await world.update(id, { state: 'resolved' });
    await world.tell(new IncidentFanOut(world.database, { batch: 2 }));
    const expected = [OPENED, 'updated identified', 'resolved resolved'];
    expect(await world.heard()).toEqual(new Map(ids.map((organizationId) => [organizationId, expected])));
  });

  it('hears of an incident that opens again', async () => {
    const [organizationId = ''] = await world.addOrganizations(1);
    const { id } = await world.incident();
    await world.update(id, { state: 'resolved' });
    await world.tell();
    await world.update(id, { state: 'monitoring' });
    await world.tell();
    expect((await world.heard()).get(organizationId)).toEqual([
      OPENED,
      'resolved resolved',
      'updated monitoring',
    ]);
  });

  it('joins while the incident is open, and hears the state of that time', async () => {
    const [first = '', late = '', never = ''] = await world.addOrganizations(3);
    await world.called(first);
    const { id } = await world.incident({ audience: 'affected', providers: ['acme'] });
    await world.tell();
    await world.update(id, { state: 'identified' });
    await world.tell();
    await world.called(late, { minutesAgo: 0 });
    await world.tell();
    expect([...(await world.heard()).keys()]).toEqual([first]);
    await world.nextLook();
    await world.tell();
    await world.update(id, { state: 'resolved' });
    await world.tell();
    await world.called(never, { minutesAgo: 0 });
    await world.nextLook();
    await world.tell();
    expect(await world.heard()).toEqual(
      new Map([
        [first, [OPENED, 'updated identified', 'resolved resolved']],
        [late, ['opened identified', 'resolved resolved']],
      ]),
    );
    expect((await world.store.findAffecting(late, id))!.affectedSince.getTime()).toBeGreaterThan(
      (await world.store.findAffecting(first, id))!.affectedSince.getTime(),
    );
  });

  it('joins when an update names what it called earlier', async () => {
    const [organizationId = ''] = await world.addOrganizations(1);
    await world.called(organizationId, { provider: 'beta', minutesAgo: 600 });
    const { id } = await world.incident({ audience: 'affected', providers: ['acme'] });
    await world.tell();
    await world.update(id, { providers: ['acme', 'beta'] });
    await world.tell();
    expect(await world.heard()).toEqual(new Map([[organizationId, [OPENED]]]));
  });
});

describe('workers', () => {
  it('at once tell everybody once, and in order', async () => {
    const ids = await world.addOrganizations(300);
    const incidents = [await world.incident(), await world.incident()];
    for (const { id } of incidents) await world.update(id, { state: 'resolved' });
    await Promise.all([1, 2, 3].map(() => world.tell(new IncidentFanOut(world.database, { batch: 20 }))));
    const { rows } = await world.database.pool.query<{ id: string; types: string[] }>(
      `SELECT organization_id AS id, array_agg(type ORDER BY id) AS types FROM outbox_events
       GROUP BY organization_id, payload::jsonb -> 'data' ->> 'incident_id'`,
    );
    expect(rows).toHaveLength(600);
    expect(new Set(rows.map(({ types }) => types.join()))).toEqual(
      new Set(['incident.opened,incident.resolved']),
    );
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(ids));
  });

  it('that lost their lease write nothing more', async () => {
    await world.addOrganizations(10);
    await world.incident();
    const slow = new IncidentFanOut(world.database, { leaseMs: 0 });
    const lease = (await slow.claim())!;
    await world.tell();
    await expect(slow.run(lease, () => false)).rejects.toThrow('another worker');
    expect([...(await world.heard()).values()]).toEqual(Array(10).fill([OPENED]));
  });

  it('leave an incident that another has alone, until its lease ends', async () => {
    await world.addOrganizations(1);
    await world.incident();
    const dead = new IncidentFanOut(world.database);
    expect(await dead.claim()).not.toBeNull();
    const alive = new IncidentFanOut(world.database);
    expect(await tellIncidents(alive, world.models, world.logger)).toEqual({ more: false });
    await world.database.pool.query(`UPDATE incidents SET lease_until = now() - interval '1 ms'`);
    await world.tell(alive);
    expect((await world.heard()).size).toBe(1);
  });

  it('are not kept from telling by an update that comes in between', async () => {
    const ids = await world.addOrganizations(60);
    const { id } = await world.incident();
    const fanOut = new IncidentFanOut(world.database, { batch: 1 });
    // One lease has 20 batches: the first of three is over.
    await tellIncidents(fanOut, world.models, world.logger);
    expect((await world.heard()).size).toBe(20);
    await world.update(id, { state: 'resolved' });
    await world.tell(fanOut);
    const heard = await world.heard();
    expect([...heard.keys()].sort()).toEqual(ids);
    expect(new Set([...heard.values()].map((events) => events.join()))).toEqual(
      new Set([`${OPENED},resolved resolved`]),
    );
  });
});
