import fc from 'fast-check';
import { heapMibOfSecondThread, memoryOfProcess } from '../second-thread/memory-of-process';
import { BodyMemory, bodyMemoryBounds } from './body-memory';

const MIB = 1024 * 1024;
const BOUNDS = { bytesMax: 100, bytesOfOneMax: 200, bytesUnfreedMax: 64 * MIB };
const NO_ROOM = expect.objectContaining({ reason: 'overloaded' }) as Error;
const TOO_LARGE = expect.objectContaining({
  reason: 'invalidRequest',
  definition: expect.objectContaining({ status: 413 }) as object,
}) as Error;

let memory: BodyMemory;
beforeEach(() => {
  memory = new BodyMemory(BOUNDS);
});

const taken = (byteCount: number) => {
  const share = memory.open(null);
  share.take(byteCount);
  return share;
};

describe('the memory of large bodies', () => {
  it('has room for what fits and for one beside it, which may be larger', () => {
    taken(60);
    taken(40);
    const beside = taken(200);
    expect(() => taken(1)).toThrow(NO_ROOM);
    expect(() => memory.open(1)).toThrow(NO_ROOM);
    beside.release();
    taken(1);
  });

  it('counts what came, not what was announced', () => {
    for (let body = 0; body < 50; body++) memory.open(200).take(2);
    taken(200);
    expect(() => taken(1)).toThrow(NO_ROOM);
  });

  it('has none for a body that never fits: as announced, or as it comes', () => {
    expect(() => memory.open(201)).toThrow(TOO_LARGE);
    const share = taken(200);
    expect(() => {
      share.take(1);
    }).toThrow(TOO_LARGE);
  });

  it('is never exceeded, and all of it is free again when every body is gone', () => {
    const steps = fc.array(fc.tuple(fc.nat(9), fc.nat(90), fc.boolean()));
    fc.assert(
      fc.property(steps, (taking) => {
        memory = new BodyMemory(BOUNDS);
        const held = new Map<number, { share: ReturnType<BodyMemory['open']>; byteCount: number }>();
        const end = (body: number) => {
          held.get(body)?.share.release();
          held.delete(body);
        };
        for (const [body, byteCount, ends] of taking) {
          try {
            const one = held.get(body) ?? { share: memory.open(null), byteCount: 0 };
            held.set(body, one);
            one.share.take(byteCount);
            one.byteCount += byteCount;
          } catch {
            end(body);
          }
          if (ends) end(body);
          const all = [...held.values()].reduce((sum, one) => sum + one.byteCount, 0);
          expect(all).toBeLessThanOrEqual(BOUNDS.bytesMax + BOUNDS.bytesOfOneMax);
        }
        for (const body of [...held.keys()]) end(body);
        taken(100);
        taken(200);
      }),
    );
  });

  it('is freed once enough of it was held by very large bodies that are gone', async () => {
    let freed = 0;
    memory = new BodyMemory({ ...BOUNDS, bytesMax: 64 * MIB, bytesOfOneMax: 64 * MIB }, () => freed++);
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    for (const [byteCount, times] of [
      [32 * MIB, 0],
      [32 * MIB, 1],
      [1 * MIB, 1],
      [64 * MIB, 2],
    ] as const) {
      const share = taken(byteCount);
      share.release();
      share.release();
      await turn();
      expect(freed).toBe(times);
    }
  });

  it('follows from the limit of the container, and without one from the machine', () => {
    expect(memoryOfProcess(1024 * MIB, 8192 * MIB)).toBe(1024 * MIB);
    expect(memoryOfProcess(0, 8192 * MIB)).toBe(8192 * MIB);
    expect(memoryOfProcess(2 ** 60, 8192 * MIB)).toBe(8192 * MIB);
    expect(heapMibOfSecondThread(1024 * MIB)).toBe(256);
    expect(bodyMemoryBounds(64 * 1024 * MIB).bytesOfOneMax).toBe(2 ** 31 - 1);
    expect(bodyMemoryBounds(1024 * MIB)).toEqual({
      bytesMax: 128 * MIB,
      bytesOfOneMax: 256 * MIB,
      bytesUnfreedMax: 64 * MIB,
    });
  });
});
