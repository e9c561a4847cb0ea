import { Pace } from './pace';

/** Slices of work of the given lengths, one after another. @returns the rests after them, all in milliseconds */
async function restsAfter(share: number, slicesMs: readonly number[]): Promise<number[]> {
  const rests: number[] = [];
  let nowMs = 5_000;
  const pace = new Pace(share, {
    nowMs: () => nowMs,
    pause: (ms) => {
      rests.push(ms);
      nowMs += ms;
      return Promise.resolve();
    },
  });
  for (const sliceMs of slicesMs) await pace.slice(() => (nowMs += sliceMs));
  return rests;
}

describe('work at a pace', () => {
  it.each([
    [0.25, [6, 30, 0]],
    [0.5, [2, 10, 0]],
    [1, [0, 0, 0]],
  ])('takes %d of the time, whatever a slice takes', async (share, rests) => {
    expect(await restsAfter(share, [2, 10, 0])).toEqual(rests);
  });

  it('rests for a second at most, so that a service that stops need not wait', async () => {
    expect(await restsAfter(0.01, [60_000])).toEqual([1_000]);
  });

  it('lets what else is due run after a slice, also where it never rests', async () => {
    let isRun = false;
    setImmediate(() => (isRun = true));
    const pace = new Pace(1);
    await pace.slice(() => undefined);
    await pace.slice(() => undefined);
    expect(isRun).toBe(true);
  });
});
