import { type components } from '../../api/generated/management';
import { parseMoney, plainDollars } from '../../format/money';
import { topUpAmount, wholeCents } from './top-up';

export type AutoTopUp = components['schemas']['AutoTopUp'];
export type NewAutoTopUp = components['schemas']['NewAutoTopUp'];

/** Whether it was ever set, whether it is on, and whether the service has switched it off. */
export type Standing = 'never' | 'on' | 'off' | 'ended';

export function standingOf({
  enabled,
  threshold_nanos: threshold,
  disabled_reason: reason,
}: AutoTopUp): Standing {
  if (enabled) return 'on';
  if (threshold === null) return 'never';
  return reason === null ? 'off' : 'ended';
}

/** Whether the month's limit leaves less than one charge: then none is made before the next month. */
export const isCapReached = (of: AutoTopUp): boolean => {
  const { amount_nanos: amount, monthly_cap_nanos: cap, charged_this_month_nanos: charged } = of;
  return amount !== null && cap !== null && charged + amount > cap;
};

/** Automatic top-up as it is typed: decimal dollars, and the id of a card. */
export interface AutoTopUpDraft {
  readonly threshold: string;
  readonly amount: string;
  readonly cap: string;
  readonly card: string | null;
}

/** The values that a form begins with that was never set. */
const FIRST = { threshold: '20', amount: '50', cap: '500' } as const;

/**
 * The values that the form begins with: those that are set, else amounts to change. A card that is no longer saved is not chosen.
 * @param cards the ids of the saved cards, newest first.
 */
export function draftOf(of: AutoTopUp, cards: readonly string[]): AutoTopUpDraft {
  const { payment_method_id: card } = of;
  const typed = (amount: bigint | null, first: string) => (amount === null ? first : plainDollars(amount));
  return {
    threshold: typed(of.threshold_nanos, FIRST.threshold),
    amount: typed(of.amount_nanos, FIRST.amount),
    cap: typed(of.monthly_cap_nanos, FIRST.cap),
    card: card !== null && cards.includes(card) ? card : (cards[0] ?? null),
  };
}

export type DraftProblem = 'noThreshold' | 'noAmount' | 'noCap' | 'capBelowAmount' | 'noCard';

interface ReadDraft {
  /** The settings as the API takes them; null while something has a problem. */
  readonly settings: NewAutoTopUp | null;
  readonly problems: Readonly<Partial<Record<keyof AutoTopUpDraft, DraftProblem>>>;
}

/** Reads a draft by the rules of docs/reference/payments.md#automatic-top-ups, as one that is switched on. */
export function readDraft({ threshold: typed, amount: lot, cap: most, card }: AutoTopUpDraft): ReadDraft {
  const parsed = parseMoney(typed);
  const threshold = 'amount' in parsed ? parsed.amount : null;
  const [amount, cap] = [topUpAmount(lot), wholeCents(most)];
  const isCapLow = amount !== null && cap !== null && cap < amount;
  const problems = {
    ...(threshold === null && { threshold: 'noThreshold' as const }),
    ...(amount === null && { amount: 'noAmount' as const }),
    ...(cap === null && { cap: 'noCap' as const }),
    ...(isCapLow && { cap: 'capBelowAmount' as const }),
    ...(card === null && { card: 'noCard' as const }),
  };
  if (threshold === null || amount === null || cap === null || card === null || isCapLow)
    return { settings: null, problems };
  const settings = {
    enabled: true,
    threshold_nanos: threshold,
    amount_nanos: amount,
    monthly_cap_nanos: cap,
    payment_method_id: card,
  };
  return { settings, problems };
}

/** The settings that are in force, switched off; null where there is nothing to switch off. */
export function switchedOff(of: AutoTopUp): NewAutoTopUp | null {
  const { enabled, threshold_nanos: threshold, amount_nanos: amount, monthly_cap_nanos: cap } = of;
  if (!enabled || threshold === null || amount === null || cap === null) return null;
  return {
    enabled: false,
    threshold_nanos: threshold,
    amount_nanos: amount,
    monthly_cap_nanos: cap,
    payment_method_id: of.payment_method_id,
  };
}
