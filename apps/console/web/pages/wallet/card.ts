import { type components } from '../../api/generated/management';

export type Card = components['schemas']['PaymentMethod'];

/** As many as an organization can have. */
export const CARDS_MAX = 50;

const MONTHS = 12;

/** Whether the card can be charged no more: it is good until the end of its month. */
export const isExpired = (
  { exp_month: month, exp_year: year }: Pick<Card, 'exp_month' | 'exp_year'>,
  now: Date,
): boolean => year * MONTHS + month < now.getUTCFullYear() * MONTHS + now.getUTCMonth() + 1;
