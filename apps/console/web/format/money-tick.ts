import { lazily } from './lazily';

const DOLLAR = 1e9;
const dollars = lazily(
  () =>
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: 'USD',
      notation: 'compact',
      maximumSignificantDigits: 3,
    }),
);

/** A tick of an axis of amounts: `$1.5K`, `$0.002`. A tick is a round number, not an amount of anybody. */
export const moneyTick = (tick: number): string => dollars().format(tick / DOLLAR);
