import { IncidentWorld } from '@svc/incidents/testing';
import { deleteOldIncidents } from './incidents.tasks';

let world: IncidentWorld;
beforeEach(async () => {
  world = await IncidentWorld.open();
});
afterEach(() => world.close());

it('incidents are deleted 400 days after they were resolved, however many organizations heard of them', async () => {
  await world.addOrganizations(3);
  const incidents = [await world.incident(), await world.incident(), await world.incident()];
  const [old = '', recent = '', open = ''] = incidents.map(({ id }) => id);
  for (const id of [old, recent]) await world.update(id, { state: 'resolved' });
  await world.tell();
  const age = (id: string, days: number) =>
    world.database.pool.query(
      `UPDATE incidents SET resolved_at = resolved_at - $2 * interval '1 day', created_at = created_at - $2 * interval '1 day'
       WHERE id = $1`,
      [id, days],
    );
  await age(old, 401);
  await age(recent, 399);
  await age(open, 500);
  expect(await world.store.deleteResolved(400 * 86_400_000, 2)).toBe(true);
  expect(await world.store.findIncident(old)).not.toBeNull();
  while ((await deleteOldIncidents(world.store)).more);
  const { prisma } = world.database;
  expect((await prisma.incident.findMany()).map(({ id }) => id).sort()).toEqual([recent, open].sort());
  expect(await prisma.incidentOrganization.count({ where: { incidentId: old } })).toBe(0);
  expect(await prisma.incidentOrganization.count()).toBe(6);
});
