import { type Language } from './languages';
import { type ProviderAttempt, type Status } from './request';

export const languageWords: Readonly<Record<Language, string>> = {
  curl: 'curl',
  'openai-python': 'OpenAI SDK, Python',
  'openai-javascript': 'OpenAI SDK, JavaScript',
  'anthropic-python': 'Anthropic SDK, Python',
  'anthropic-javascript': 'Anthropic SDK, JavaScript',
};

export const statusWords: Readonly<Record<Status, string>> = {
  pending: 'Pending',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
  reconciliation_required: 'Usage unknown',
};

const words = (code: string): string => code.replaceAll('_', ' ');

/** The call is answered with `overloaded` for it, but what the provider said is that it failed. */
const BAD_GATEWAY = 502;

/** How an attempt ended: `answered`, `502 provider error`. */
export function attemptResult({ error, status }: Pick<ProviderAttempt, 'error' | 'status'>): string {
  if (error === undefined) return 'answered';
  if (status === null) return words(error);
  return `${String(status)} ${words(status === BAD_GATEWAY ? 'provider_error' : error)}`;
}

export const usageWords = {
  title: 'Usage of the last 30 days (UTC)',
  caption: 'Usage by model',
  model: 'Model',
  other: 'Other models',
  calls: 'Calls',
  failed: 'Failed',
  spend: 'Spend',
  total: 'Total',
} as const;

export const budgetWords = {
  left: 'Left:',
  usualHold: 'A usual call holds',
  refused: (calls: string): string => `Refused ${calls} in 24 hours, the last`,
} as const;
