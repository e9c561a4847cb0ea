import { CallJournal, type JournalEntry } from './journal';

const entry = (path: string, outcome: JournalEntry['outcome'] = 'delivered'): JournalEntry => ({
  at: '2026-01-01T00:00:00.000Z',
  path,
  model: 'm',
  stream: false,
  directive: [],
  bytes: 1,
  status: 200,
  outcome,
  authorization: 'absent',
});

describe('CallJournal', () => {
  it('keeps the last 1,000 calls in order and counts all', () => {
    const journal = new CallJournal();
    for (let at = 0; at < 1050; at++) journal.open()(entry(String(at)));
    expect(journal.entries()).toHaveLength(1000);
    expect(journal.entries()[0]?.path).toBe('50');
    expect(journal.counters()).toEqual({ received: 1050, delivered: 1050, interrupted: 0, in_flight: 0 });
  });

  it('does not record calls that were running when it was cleared', () => {
    const journal = new CallJournal();
    const before = journal.open();
    journal.clear();
    const after = journal.open();
    before(entry('before'));
    expect(journal.counters()).toEqual({ received: 1, delivered: 0, interrupted: 0, in_flight: 1 });
    after(entry('after', 'interrupted'));
    expect(journal.counters()).toEqual({ received: 1, delivered: 0, interrupted: 1, in_flight: 0 });
    expect(journal.entries().map(({ path }) => path)).toEqual(['after']);
  });
});
