import { formatPlural } from '../format/numbers';
import { type Budget, type BudgetScope } from './budget-standing';
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

/** A code of an error, as words. */
export const errorWords = (code: string): string => code.replaceAll('_', ' ');

/** The call is answered with `overloaded` for it, but what the provider said is that it failed. */
const BAD_GATEWAY = 502;

/** How an attempt ended: `answered`, `502 provider error`. */
export function attemptResult({ error, status }: Pick<ProviderAttempt, 'error' | 'status'>): string {
  if (error === undefined) return 'answered';
  if (status === null) return errorWords(error);
  return `${String(status)} ${errorWords(status === BAD_GATEWAY ? 'provider_error' : error)}`;
}

export const usageWords = {
  title: 'Usage of the last 30 days (UTC)',
  lastWeek: (calls: number): string => `Last 7 days: {spend} for ${formatPlural(calls, 'call')}.`,
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
  usualHold: 'A typical call holds',
  refused: (calls: string): string => `Refused ${calls} in the last 24 hours, the latest`,
} as const;

/** Words for the scopes of a budget, as choices. */
export const scopeWords: Readonly<Record<BudgetScope, string>> = {
  organization: 'Organization',
  project: 'Project',
  api_key: 'Key',
  member: 'Member',
  model: 'Model',
  end_user: 'End user',
};

/** A budget that gives each an amount of its own. */
export const eachWords: Readonly<Record<Exclude<BudgetScope, 'organization'>, string>> = {
  project: 'Each project',
  api_key: 'Each key',
  member: 'Each member',
  model: 'Each model',
  end_user: 'Each end user',
};

/** A budget that names one. */
export const namedWords: Readonly<Record<keyof typeof eachWords, string>> = {
  project: 'Project {name}',
  api_key: 'Key {name}',
  member: 'Member {name}',
  model: 'Model {name}',
  end_user: 'End user {name}',
};

/** The amount of a budget with its period. */
export const amountWords: Readonly<Record<Budget['period'], string>> = {
  day: '{amount} per day',
  week: '{amount} per week',
  month: '{amount} per month',
  quarter: '{amount} per quarter',
  session: '{amount} per session',
};

export const limitWords = {
  /** `Each end user of project Shop`. */
  narrowed: '{scope} of project {project}',
  /** `Each end user of project Shop: $5.00 per week`. */
  limit: '{scope}: {amount}',
  /** `$1.20 of $5.00 per week`. */
  spent: '{spent} of {amount}',
  upTo: 'Up to {amount}',
  upToEach: 'Up to {amount} for each',
  eachSession: 'Per session',
  each: 'One for each',
} as const;
