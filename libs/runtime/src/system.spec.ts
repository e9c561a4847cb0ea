import { isId, timeOfId } from '@svc/kernel';
import { systemClock, systemIds, systemSpanIds } from './system';

describe('systemIds', () => {
  it('are unique far beyond the size of the randomness pool', () => {
    const ids = Array.from({ length: 5_000 }, () => systemIds('request'));
    expect(new Set(ids).size).toBe(5_000);
    expect(ids.every((id) => isId('request', id))).toBe(true);
  });

  it('of one process sort as they were made, within a millisecond too', () => {
    const ids = Array.from({ length: 5_000 }, () => systemIds('request'));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids.map(timeOfId)).size).toBeLessThan(ids.length);
  });

  it('contain the time of the machine', () => {
    const before = systemIds('event').slice(0, 'evt_'.length + 10);
    const now = systemClock.now();
    const after = systemIds('event').slice(0, 'evt_'.length + 10);
    expect(Math.abs(now - Date.now())).toBeLessThan(1_000);
    expect(before <= after).toBe(true);
  });
});

describe('systemSpanIds', () => {
  it('are 16 hex digits, and differ', () => {
    const ids = Array.from({ length: 1_000 }, systemSpanIds);
    expect(new Set(ids).size).toBe(1_000);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{16}$/);
  });
});
