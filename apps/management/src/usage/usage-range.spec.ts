import fc from 'fast-check';
import { dateOfDay, daysTouched, hoursTouched, startOfHour } from './usage-range';

const NOW = Date.parse('2026-11-20T09:30:00.000Z');
const daysOf = (start?: string, end?: string) => {
  const range = {
    start: start === undefined ? undefined : new Date(start),
    end: end === undefined ? undefined : new Date(end),
  };
  const { firstDay, endDay } = daysTouched(range, NOW);
  return [dateOfDay(firstDay), dateOfDay(endDay)];
};

describe('a range of usage', () => {
  it.each([
    ['the last 30 days, today included, when nothing is said', [], ['2026-10-22', '2026-11-21']],
    ['30 days up to an end', [undefined, '2026-03-01'], ['2026-01-30', '2026-03-01']],
    ['everything from a start on, today included', ['2026-11-01'], ['2026-11-01', '2026-11-21']],
    [
      'the days between two dates, the last one not',
      ['2026-01-01', '2026-02-01'],
      ['2026-01-01', '2026-02-01'],
    ],
    [
      'every day that two timestamps touch',
      ['2026-01-01T23:59:59.999Z', '2026-01-03T00:00:00.001Z'],
      ['2026-01-01', '2026-01-04'],
    ],
    [
      'UTC days, whatever the offset',
      ['2026-01-02T01:00:00+02:00', '2026-01-02T10:00:00Z'],
      ['2026-01-01', '2026-01-03'],
    ],
    ['a leap year', ['2024-01-01', '2025-01-01'], ['2024-01-01', '2025-01-01']],
  ])('is %s', (_, [start, end], days) => {
    expect(daysOf(start, end)).toEqual(days);
  });

  it.each([
    ['is empty', ['2026-01-01', '2026-01-01'], 'end'],
    ['ends before it starts', ['2026-01-02', '2026-01-01'], 'end'],
    ['starts in the future', ['2026-11-21'], 'start'],
    ['is over before 1970', ['0000-01-01', '0000-02-01'], 'end'],
    ['is longer than a leap year', ['2024-01-01', '2025-01-01T00:00:00.001Z'], 'start'],
  ])('is refused when it %s', (_, [start, end], param) => {
    expect(() => daysOf(start, end)).toThrow(expect.objectContaining({ reason: 'invalidRequest', param }));
  });

  it('holds every moment of its span', () => {
    const year = fc.date({ min: new Date('2020-01-01'), max: new Date('2021-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(year, year, (start, end) => {
        fc.pre(start < end);
        const { firstDay, endDay } = daysTouched({ start, end }, NOW);
        expect(firstDay * 86_400_000).toBeLessThanOrEqual(start.getTime());
        expect(endDay * 86_400_000).toBeGreaterThanOrEqual(end.getTime());
      }),
    );
  });
});

describe('a range of hours', () => {
  const hoursOf = (start?: string, end?: string) => {
    const dateOf = (text?: string) => (text === undefined ? undefined : new Date(text));
    const { firstHour, endHour } = hoursTouched({ start: dateOf(start), end: dateOf(end) }, NOW);
    return [startOfHour(firstHour), startOfHour(endHour)];
  };

  it.each([
    [
      'the last 24 hours, this one included, when nothing is said',
      [],
      ['2026-11-19T10:00:00.000Z', '2026-11-20T10:00:00.000Z'],
    ],
    [
      'every hour that two timestamps touch',
      ['2026-11-20T07:59:59.999Z', '2026-11-20T09:00:00.001Z'],
      ['2026-11-20T07:00:00.000Z', '2026-11-20T10:00:00.000Z'],
    ],
  ])('is %s', (_, [start, end], hours) => {
    expect(hoursOf(start, end)).toEqual(hours);
  });

  it('is refused when it is longer than 31 days', () => {
    expect(hoursOf('2026-10-01', '2026-11-01')).toHaveLength(2);
    const refusal = { reason: 'invalidRequest', param: 'start' };
    expect(() => hoursOf('2026-10-01', '2026-11-01T00:00:00.001Z')).toThrow(expect.objectContaining(refusal));
  });
});
