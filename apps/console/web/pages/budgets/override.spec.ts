import { type Budget } from './budget';
import { overrideDraftOf, readOverride } from './override';

const NOW = new Date('2026-11-20T09:30:00Z');
const override = { amount_nanos: 20_000_000_001n, until: '2026-11-25T12:00:00.000Z', reason: 'Launch week' };
const budget = (change: Partial<Budget> = {}): Budget =>
  ({ override: null, resets_at: '2026-12-01T00:00:00.000Z', ...change }) as Budget;

describe('another amount for a while', () => {
  it('begins with the end of the period, and without a time for sessions', () => {
    expect(overrideDraftOf(budget(), NOW, 'utc')).toEqual({
      amount: '',
      until: '2026-12-01T00:00',
      reason: '',
    });
    expect(overrideDraftOf(budget({ resets_at: null }), NOW, 'utc').until).toBe('');
  });

  it('is changed from what is in force, to the nano, and begins anew after that has ended', () => {
    const draft = overrideDraftOf(budget({ override }), NOW, 'utc');
    expect(readOverride(draft, 'utc').override).toEqual(override);
    const later = new Date('2026-11-25T12:00:00Z');
    expect(overrideDraftOf(budget({ override }), later, 'utc')).toMatchObject({ amount: '', reason: '' });
  });

  it('can be nothing at all, and is not sent while a field is empty', () => {
    const draft = { amount: '0', until: '2026-11-25T12:00', reason: ' Freeze ' };
    expect(readOverride(draft, 'utc').override).toMatchObject({ amount_nanos: 0n, reason: 'Freeze' });
    const { override: none, missing } = readOverride({ amount: 'x', until: '', reason: ' ' }, 'utc');
    expect([none, [...missing]]).toEqual([null, ['amount', 'until', 'reason']]);
  });
});
