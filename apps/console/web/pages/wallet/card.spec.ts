import { isExpired } from './card';

describe('a card', () => {
  const card = { exp_month: 12, exp_year: 2026 };

  it('is good until the end of its month', () => {
    expect(isExpired(card, new Date('2026-12-31T23:59:59Z'))).toBe(false);
    expect(isExpired(card, new Date('2027-01-01T00:00:00Z'))).toBe(true);
    expect(isExpired(card, new Date('2026-01-01T00:00:00Z'))).toBe(false);
  });
});
