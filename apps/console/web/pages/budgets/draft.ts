import { type components } from '../../api/generated/management';
import { differing } from '../../api/differing';
import { EACH } from '../../calls/budget-standing';
import { parseMoney, plainDollars } from '../../format/money';
import { type Action, type Budget, type Period, type Scope } from './budget';

type NewBudget = components['schemas']['NewBudget'];
type BudgetChange = components['schemas']['BudgetChange'];

/** A budget as it is typed. */
export interface BudgetDraft {
  readonly name: string;
  readonly scope: Scope;
  /** Whom it names, or `*`; null for the whole organization, and while none is chosen. */
  readonly scopeId: string | null;
  /** Counts only calls of this project; null for all. */
  readonly projectId: string | null;
  readonly period: Period;
  readonly amount: string;
  readonly action: Action;
  /** In percent, up to two decimals. */
  readonly warnAt: string;
  readonly enabled: boolean;
}

export const emptyDraft: BudgetDraft = {
  name: '',
  scope: 'organization',
  scopeId: null,
  projectId: null,
  period: 'month',
  amount: '',
  action: 'block',
  warnAt: '80',
  enabled: true,
};

export const draftOf = (budget: Budget): BudgetDraft => ({
  name: budget.name,
  scope: budget.scope,
  scopeId: budget.scope === 'organization' ? null : budget.scope_id,
  projectId: budget.project_id,
  period: budget.period,
  amount: plainDollars(budget.amount_nanos),
  action: budget.action,
  warnAt: percentOf(budget.warn_at_bps),
  enabled: budget.enabled,
});

export const isSameDraft = (one: BudgetDraft, other: BudgetDraft): boolean =>
  (Object.keys(one) as (keyof BudgetDraft)[]).every((key) => one[key] === other[key]);

const narrowed: readonly Scope[] = ['member', 'model', 'end_user'];

/** Whether a budget of the scope can count the calls of one project alone. */
export const canNarrow = (scope: Scope): boolean => narrowed.includes(scope);

/** Another scope: what was chosen of the one before is no part of it. Most often each end user has an amount. */
export const ofScope = (scope: Scope): Pick<BudgetDraft, 'scope' | 'scopeId' | 'projectId'> => ({
  scope,
  scopeId: scope === 'end_user' ? EACH : null,
  projectId: null,
});

/** Whom the budget names, or `*`; null for the whole organization, and while none is chosen. */
export const scopeIdOf = ({ scope, scopeId }: BudgetDraft): string | null =>
  scope === 'organization' || scopeId === null || scopeId.trim() === '' ? null : scopeId.trim();

/** The amount that was typed, if a budget takes it; else null. */
export function amountOf({ amount }: Pick<BudgetDraft, 'amount'>): bigint | null {
  const parsed = parseMoney(amount);
  return 'amount' in parsed && parsed.amount > 0n ? parsed.amount : null;
}

const BPS_MAX = 10_000;

/** `82.5` as 8250 basis points; null for what is no percentage from 0.01 to 100. */
export function basisPoints(percent: string): number | null {
  const [, whole, fraction = ''] =
    /^(\d{1,3})(?:\.(\d{1,2}))?$/.exec(percent.trim().replace(/\s*%$/, '')) ?? [];
  if (whole === undefined) return null;
  const points = Number(whole + fraction.padEnd(2, '0'));
  return points >= 1 && points <= BPS_MAX ? points : null;
}

export const percentOf = (points: number): string => String(points / 100);

const isScoped = (draft: BudgetDraft): boolean => draft.scope === 'organization' || scopeIdOf(draft) !== null;

export type Missing = 'name' | 'scope' | 'amount' | 'warnAt';

/** The names of the fields that still have to be filled in. */
export function missingIn(draft: BudgetDraft): ReadonlySet<Missing> {
  const missing = [
    draft.name.trim() === '' && ('name' as const),
    !isScoped(draft) && ('scope' as const),
    amountOf(draft) === null && ('amount' as const),
    basisPoints(draft.warnAt) === null && ('warnAt' as const),
  ];
  return new Set(missing.filter((name) => name !== false));
}

/** The body that creates it. @returns null while something is missing. */
export function newBudgetOf(draft: BudgetDraft): NewBudget | null {
  const amount = amountOf(draft);
  const warnAt = basisPoints(draft.warnAt);
  if (amount === null || warnAt === null || missingIn(draft).size > 0) return null;
  const scopeId = scopeIdOf(draft);
  return {
    name: draft.name.trim(),
    scope: draft.scope,
    ...(scopeId === null ? {} : { scope_id: scopeId }),
    ...(draft.projectId === null ? {} : { project_id: draft.projectId }),
    period: draft.period,
    amount_nanos: amount,
    action: draft.action,
    warn_at_bps: warnAt,
    enabled: draft.enabled,
  };
}

/** Changed fields, as the API takes them: scope and period cannot change. @returns null while something is missing. */
export function changeOf(draft: BudgetDraft, before: Budget): BudgetChange | null {
  const made = newBudgetOf(draft);
  if (made === null) return null;
  const { name, amount_nanos, action, warn_at_bps, enabled } = made;
  return differing({ name, amount_nanos, action, warn_at_bps, enabled }, before);
}
