import fc from 'fast-check';
import { FairSlots } from './fair-slots';

const SLOTS = 64;

/** Takes slots for a tenant until it gets no more. */
async function fill(slots: FairSlots, tenant: string, until: Promise<void>): Promise<number> {
  let taken = 0;
  while (slots.hasSlotFor(tenant)) {
    void slots.run(tenant, () => until);
    taken++;
  }
  return Promise.resolve(taken);
}

describe('fair slots', () => {
  const forEver = new Promise<void>(() => undefined);

  it('go half to a tenant that wants all of them, and half of the rest to the next', async () => {
    const slots = new FairSlots(SLOTS);
    expect(await fill(slots, 'a', forEver)).toBe(32);
    expect(await fill(slots, 'b', forEver)).toBe(16);
    expect(await fill(slots, 'c', forEver)).toBe(8);
  });

  it('are free again when the work has ended, even if it failed', async () => {
    const slots = new FairSlots(2);
    for (const work of [() => Promise.resolve(1), () => Promise.reject(new Error('no'))]) {
      const working = slots.run('a', work);
      expect(slots.hasSlotFor('a')).toBe(false);
      await working.catch(() => undefined);
      expect(slots.hasSlotFor('a')).toBe(true);
    }
  });

  it('come to be shared equally by tenants that want many, and are never exceeded', async () => {
    const wishes = fc.array(fc.record({ tenant: fc.constantFrom('a', 'b', 'c', 'd'), ends: fc.boolean() }), {
      maxLength: 400,
    });
    await fc.assert(
      fc.asyncProperty(wishes, async (all) => {
        const slots = new FairSlots(SLOTS);
        const taken: { tenant: string; end: () => void; ended: Promise<void> }[] = [];
        const holdsOf = (tenant: string) => taken.filter((one) => one.tenant === tenant).length;
        for (const { tenant, ends } of all) {
          const first = taken.findIndex((one) => one.tenant === tenant);
          if (ends && first !== -1) {
            const [one] = taken.splice(first, 1);
            one!.end();
            await one!.ended;
          }
          if (!slots.hasSlotFor(tenant)) continue;
          // A tenant that holds more than are free gets no more.
          expect(holdsOf(tenant)).toBeLessThan(SLOTS - taken.length);
          let end = (): void => undefined;
          const until = new Promise<void>((resolve) => (end = resolve));
          taken.push({ tenant, end, ended: slots.run(tenant, () => until) });
        }
        expect(taken.length).toBeLessThanOrEqual(SLOTS);
      }),
    );
  });
});
