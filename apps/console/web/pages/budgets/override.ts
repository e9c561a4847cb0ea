import { parseMoney, plainDollars } from '../../format/money';
import { fromInputTime, toInputTime, type Zone } from '../../format/time';
import { isInForce, type Budget, type Override } from './budget';

/** Another amount for a while, as it is typed. */
export interface OverrideDraft {
  readonly amount: string;
  /** As `input type=datetime-local` has it. */
  readonly until: string;
  readonly reason: string;
}

/** The values that the form begins with: the override in force; else the end of the period, where the budget has one. */
export function overrideDraftOf(budget: Budget, now: Date, zone: Zone): OverrideDraft {
  const { override, resets_at: resetsAt } = budget;
  const until = isInForce(override, now) ? override.until : resetsAt;
  return {
    amount: isInForce(override, now) ? plainDollars(override.amount_nanos) : '',
    until: until === null ? '' : toInputTime(new Date(until), zone),
    reason: isInForce(override, now) ? override.reason : '',
  };
}

type MissingOverride = keyof OverrideDraft;

/** The override as the API takes it, and the names of the fields that still have to be filled in. An amount of nothing is one. */
export function readOverride(
  draft: OverrideDraft,
  zone: Zone,
): { readonly override: Override | null; readonly missing: ReadonlySet<MissingOverride> } {
  const parsed = parseMoney(draft.amount);
  const amount = 'amount' in parsed ? parsed.amount : null;
  const until = fromInputTime(draft.until, zone);
  const reason = draft.reason.trim();
  const missing = new Set<MissingOverride>([
    ...(amount === null ? (['amount'] as const) : []),
    ...(until === null ? (['until'] as const) : []),
    ...(reason === '' ? (['reason'] as const) : []),
  ]);
  const isWhole = amount !== null && until !== null && missing.size === 0;
  return { override: isWhole ? { amount_nanos: amount, until, reason } : null, missing };
}
