import fc from 'fast-check';
import { givenTime, line, name, pointInTime, timestamp } from './fields';

const isTaken = (schema: { safeParse(value: unknown): { success: boolean } }, value: string): boolean =>
  schema.safeParse(value).success;

describe('a point in time', () => {
  it.each([
    '0000-01-01',
    '0000-12-31',
    '0000-06-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
  ])('is not %s, which the database has no year for', (text) => {
    expect(isTaken(pointInTime(), text)).toBe(false);
  });

  it.each(['0001-01-01', '1969-12-31', '2026-11-20T09:30:00Z', '9999-12-31T23:59:59Z'])(
    'may be %s',
    (text) => {
      expect(isTaken(pointInTime(), text)).toBe(true);
    },
  );

  it('has a year of four digits, whatever its offset', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999 }), fc.integer({ min: -1_439, max: 1_439 }), (year, by) => {
        const sign = by < 0 ? '-' : '+';
        const [hours, minutes] = [Math.floor(Math.abs(by) / 60), Math.abs(by) % 60];
        const offset = `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
        const text = `${String(year).padStart(4, '0')}-01-01T00:00:00${offset}`;
        const { success, data } = pointInTime().safeParse(text);
        if (success) expect(data.toISOString()).toMatch(/^(?!0000)\d{4}-/);
      }),
    );
  });

  it('in a body is not in the year 0 either', () => {
    expect(isTaken(timestamp(), '0000-01-01T00:00:00.000Z')).toBe(false);
    expect(isTaken(timestamp(), '2026-11-20T09:30:00.000Z')).toBe(true);
  });
});

describe('a time in a body', () => {
  it.each([
    ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.000Z'],
    ['2026-11-20T09:30:00.123456+00:00', '2026-11-20T09:30:00.123Z'],
    ['2026-11-20T09:30:00.000+05:30', '2026-11-20T04:00:00.000Z'],
  ])('%s is read as %s', (text, time) => {
    expect(givenTime().parse(text)).toBe(time);
  });

  it.each([
    '',
    '2026-11-20',
    '2026-11-20T09:30:00',
    '2026-11-20 09:30:00Z',
    '2026-02-30T09:30:00Z',
    '9999-12-31T23:59:59-00:01',
    '0001-01-01T00:00:00+00:01',
  ])('is not %j', (text) => {
    expect(isTaken(givenTime(), text)).toBe(false);
  });
});

describe('a name', () => {
  const invisible = [
    ...['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e'],
    ...['\u2066', '\u2067', '\u2068', '\u2069', '\u2028', '\u2029', '\u0000', '\n', '\ud800'],
  ];
  it.each(invisible)('has no %j', (character) => {
    expect(isTaken(name(), `Acme${character}gpj.exe`)).toBe(false);
    expect(isTaken(line(500), `x${character}x`)).toBe(false);
  });

  it.each(['Acme & Söhne', 'شركة', 'חברה', '株式会社', '👨‍👩‍👧 Family', 'می‌خواهم'])('may be %s', (text) => {
    expect(isTaken(name(), text)).toBe(true);
  });
});
