import fc from 'fast-check';
import { FairPlaces } from './fair-places';

const PLACES = 64;

/** Takes what it gets for a tenant until it gets no more. */
async function fill(places: FairPlaces, tenant: string, until: Promise<void>): Promise<number> {
  let taken = 0;
  while (places.hasRoomFor(tenant)) {
    void places.during(tenant, () => until);
    taken++;
  }
  return Promise.resolve(taken);
}

describe('fair places', () => {
  const forEver = new Promise<void>(() => undefined);

  it('are half taken by a tenant who wants all of them, and half of the rest by the next', async () => {
    const places = new FairPlaces(PLACES);
    expect(await fill(places, 'a', forEver)).toBe(32);
    expect(await fill(places, 'b', forEver)).toBe(16);
    expect(await fill(places, 'c', forEver)).toBe(8);
  });

  it('are free again when the work has ended, well or not', async () => {
    const places = new FairPlaces(2);
    for (const work of [() => Promise.resolve(1), () => Promise.reject(new Error('no'))]) {
      const working = places.during('a', work);
      expect(places.hasRoomFor('a')).toBe(false);
      await working.catch(() => undefined);
      expect(places.hasRoomFor('a')).toBe(true);
    }
  });

  it('come to be shared alike between those who want many, and are never overfilled', async () => {
    const wishes = fc.array(fc.record({ tenant: fc.constantFrom('a', 'b', 'c', 'd'), ends: fc.boolean() }), {
      maxLength: 400,
    });
    await fc.assert(
      fc.asyncProperty(wishes, async (all) => {
        const places = new FairPlaces(PLACES);
        const taken: { tenant: string; end: () => void; ended: Promise<void> }[] = [];
        const holdsOf = (tenant: string) => taken.filter((one) => one.tenant === tenant).length;
        for (const { tenant, ends } of all) {
          const first = taken.findIndex((one) => one.tenant === tenant);
          if (ends && first !== -1) {
            const [one] = taken.splice(first, 1);
            one!.end();
            await one!.ended;
          }
          if (!places.hasRoomFor(tenant)) continue;
          // Whoever has more than others have left is not given more.
          expect(holdsOf(tenant)).toBeLessThan(PLACES - taken.length);
          let end = (): void => undefined;
          const until = new Promise<void>((resolve) => (end = resolve));
          taken.push({ tenant, end, ended: places.during(tenant, () => until) });
        }
        expect(taken.length).toBeLessThanOrEqual(PLACES);
      }),
    );
  });
});
