import {
  formatDue,
  formatInstant,
  formatRelative,
  formatReset,
  formatUtcDay,
  fromInputTime,
  toInputTime,
} from './time';
import { shortId } from './ids';
import { visibleText } from './visible-text';

const now = new Date('2026-11-23T12:00:00Z');

describe('a time', () => {
  it.each([
    ['2026-11-23T11:59:58Z', 'just now'],
    ['2026-11-23T11:57:00Z', '3 min ago'],
    ['2026-11-23T10:00:00Z', '2 hr ago'],
    ['2026-12-01T12:00:00Z', 'in 8 days'],
    ['2026-01-02T12:00:00Z', '2 Jan 2026'],
  ])('%s is %s', (at, words) => {
    expect(formatRelative(new Date(at), now, 'utc')).toBe(words);
  });

  it.each([
    ['2026-11-23T13:00:00Z', 'in 1 hr'],
    ['2026-11-23T12:00:03Z', 'now'],
    ['2026-11-23T11:59:48Z', 'now'],
    ['2026-11-20T12:00:00Z', 'now'],
  ])('%s is due %s, never in the past', (at, words) => {
    expect(formatDue(new Date(at), now, 'utc')).toBe(words);
  });

  it('by UTC says so', () => {
    expect(formatInstant(now, 'utc')).toBe('23 Nov 2026, 12:00:00 UTC');
    expect(formatUtcDay('2026-11-22')).toBe('22 Nov (UTC)');
    expect(formatReset(new Date('2026-12-01T00:00:00Z'), now)).toMatch(/^1 Dec 00:00 UTC \(in 8 days[;)]/);
  });

  it('goes to a field and back to the minute, in both zones', () => {
    expect(fromInputTime(toInputTime(now, 'utc'), 'utc')).toBe(now.toISOString());
    expect(fromInputTime(toInputTime(now, 'local'), 'local')).toBe(now.toISOString());
    expect(fromInputTime('', 'utc')).toBeNull();
  });
});

describe('a text of somebody else', () => {
  it('has its hidden characters spelled out', () => {
    expect(visibleText('a\u202Eb\u0000c')).toBe('a⟨U+202E⟩b⟨U+0000⟩c');
    expect(visibleText('Zoë 👩‍💻')).toBe('Zoë 👩‍💻');
  });
});

describe('a short id', () => {
  it('keeps its kind, its start and its end', () => {
    expect(shortId('req_01m84x41m98agg8g7c0ytvs4y4')).toBe('req_01m8…tvs4y4');
    expect(shortId('req_1')).toBe('req_1');
  });
});
