import { ProviderRefusal, ProviderUnreachable } from '../rules/provider/provider-failure';

/** Above it a question counts as unanswered. */
export const ANSWER_WITHIN_MS = 10_000;

/** Statuses by which the provider says nothing about what it was asked: its credential, its limits, or itself are in the way. */
const UNDECIDED: ReadonlySet<number> = new Set([401, 407, 408, 409, 425, 429]);
const CODE_MAX = 100;

/** An error answer of a provider. */
interface ErrorAnswer {
  readonly status: number;
  readonly code: string | null;
  /** The field that is wrong. */
  readonly param: string | null;
}

/** The meaning of an error answer. The provider's own words are in neither: they may quote what was sent. */
export function failureOf({ status, code, param }: ErrorAnswer): ProviderRefusal | ProviderUnreachable {
  if (status < 400 || status >= 500 || UNDECIDED.has(status))
    return new ProviderUnreachable(`The provider answered ${String(status)}.`);
  return new ProviderRefusal(
    `The provider refused with status ${String(status)}.`,
    code?.slice(0, CODE_MAX) ?? null,
    isOfFile(code, param) ? 'file' : 'other',
  );
}

/** True where a code and a field of the provider blame a file. */
export const isOfFile = (code: string | null, param: string | null): boolean =>
  /file/.test(code ?? '') || /file/.test(param ?? '');
