import fc from 'fast-check';
import { UploadPlaces } from './upload-places';

const ORGANIZATIONS = ['org_1', 'org_2', 'org_3', 'org_4'] as const;

/** Takes a place for as long as the test wants. */
function hold(places: UploadPlaces, organizationId: string) {
  const held = Promise.withResolvers<undefined>();
  let isRefused = false;
  const done = places
    .run(organizationId, () => held.promise)
    .catch((error: unknown) => {
      expect(error).toMatchObject({ reason: 'overloaded' });
      isRefused = true;
    });
  return { done, end: () => held.resolve(undefined), isRefused: () => isRefused };
}

it('two organizations that upload as much as they may leave a place for a third and a fourth', async () => {
  const places = new UploadPlaces(8);
  for (const greedy of ['org_1', 'org_2'])
    await Promise.race([...Array.from({ length: 8 }, () => hold(places, greedy).done), Promise.resolve()]);
  for (const modest of ['org_3', 'org_4'])
    await expect(places.run(modest, () => Promise.resolve(1))).resolves.toBe(1);
});

it('an organization alone has half of the places, and each that ends is free again, also where it fails', async () => {
  const places = new UploadPlaces(8);
  const holds = Array.from({ length: 8 }, () => hold(places, 'org_1'));
  await Promise.all(holds.slice(4).map(({ done }) => done));
  expect(holds.map(({ isRefused }) => isRefused())).toEqual([
    ...Array(4).fill(false),
    ...Array(4).fill(true),
  ]);
  holds.forEach(({ end }) => {
    end();
  });
  await Promise.all(holds.map(({ done }) => done));
  for (let at = 0; at < 20; at++)
    await expect(places.run('org_1', () => Promise.reject(new Error('cut')))).rejects.toThrow('cut');
});

it('whatever comes and goes, no more than the places are taken, and none is lost', async () => {
  const steps = fc.array(fc.record({ organization: fc.constantFrom(...ORGANIZATIONS), ends: fc.boolean() }));
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const places = new UploadPlaces(8);
      const open: ReturnType<typeof hold>[] = [];
      for (const { organization, ends } of taken) {
        const begun = hold(places, organization);
        await Promise.race([begun.done, Promise.resolve()]);
        await Promise.resolve();
        if (!begun.isRefused()) open.push(begun);
        expect(open.length).toBeLessThanOrEqual(8);
        const first = ends ? open.shift() : undefined;
        first?.end();
        await first?.done;
      }
      for (const { end } of open) end();
      await Promise.all(open.map(({ done }) => done));
      const after = Array.from({ length: 4 }, () => hold(places, 'org_1'));
      await Promise.resolve();
      expect(after.map(({ isRefused }) => isRefused())).toEqual(Array(4).fill(false));
    }),
  );
});
