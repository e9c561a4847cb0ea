import { type RefusalsAddress } from './list';

const HOUR_MS = 3_600_000;
/** Refusals are counted by the hour, kept for 35 days, and answered for 31 (docs/reference/money.md#refusals). */
const DEFAULT_MS = 30 * 24 * HOUR_MS;

/** The span as the address has it. Without a beginning it begins 30 days before its end, at a full hour. */
export function askedSpan(
  { after, before }: Pick<RefusalsAddress, 'after' | 'before'>,
  nowMs: number,
): { readonly start: string; readonly end?: string } {
  if (before === undefined) return { start: after ?? startOf(nowMs) };
  return { start: after ?? startOf(Date.parse(before)), end: before };
}

const startOf = (endMs: number): string =>
  new Date(Math.floor(endMs / HOUR_MS) * HOUR_MS - DEFAULT_MS).toISOString();
