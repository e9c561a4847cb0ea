import { heldBy, looksEvery, type AnyDelivery } from './delivery';
import { byNoun, switched, type EventType } from './event-nouns';

const typed = (type: string) => ({ type }) as EventType;

describe('the tree of events', () => {
  it('has a wildcard for each noun', () => {
    const tree = byNoun(['api_key.created', 'budget.exceeded', 'api_key.revoked'].map(typed));
    expect(tree.map(({ wildcard, types }) => [wildcard, types.map(({ type }) => type)])).toEqual([
      ['api_key.*', ['api_key.created', 'api_key.revoked']],
      ['budget.*', ['budget.exceeded']],
    ]);
  });

  it('lets a wildcard stand for the names below it', () => {
    expect(switched(['api_key.created', 'budget.exceeded'], 'api_key.*', true)).toEqual([
      'budget.exceeded',
      'api_key.*',
    ]);
    expect(switched(['api_key.*'], 'api_key.*', false)).toEqual([]);
  });
});

describe('how often a delivery is looked at', () => {
  const delivery = (status: AnyDelivery['status'], next: string | null) =>
    ({ status, next_attempt_at: next }) as AnyDelivery;
  const now = Date.parse('2026-11-25T09:00:00Z');

  it('is often while an attempt is due, seldom before, and never once it has ended', () => {
    expect(looksEvery(delivery('queued', null), now)).toBe(2_000);
    expect(looksEvery(delivery('failed', '2026-11-25T09:00:10Z'), now)).toBe(2_000);
    expect(looksEvery(delivery('failed', '2026-11-25T10:00:00Z'), now)).toBe(30_000);
    expect(looksEvery(delivery('failed', '2026-11-25T08:58:00Z'), now)).toBe(30_000);
    expect(looksEvery(delivery('succeeded', null), now)).toBe(false);
    expect(looksEvery(delivery('dead', null), now)).toBe(false);
  });
});

describe('a delivery that is due', () => {
  it('waits for a receiver that is paused or disabled, but for a test', () => {
    const event = { event_type: 'budget.exceeded' };
    expect([heldBy(event, 'paused'), heldBy(event, 'disabled')]).toEqual(['paused', 'disabled']);
    expect([heldBy(event, 'active'), heldBy(event, 'failing'), heldBy(event, undefined)]).toEqual([
      null,
      null,
      null,
    ]);
    expect(heldBy({ event_type: 'webhook.test' }, 'paused')).toBeNull();
    expect(heldBy({ event_type: 'integration.test' }, 'disabled')).toBeNull();
  });
});
