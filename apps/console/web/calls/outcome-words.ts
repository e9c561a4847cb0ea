/** The meaning of `failed`, in usage and in the list of requests (docs/reference/money.md#usage). */
export const failedMeans =
  'Failed: no provider answered, or the answer broke off. Invalid calls do not count.';

/** Refusals by their code, in a few words. */
const refusals: Readonly<Record<string, string>> = {
  rate_limit: 'rate limit',
  budget_exceeded: 'budget',
  insufficient_funds: 'empty wallet',
  invalid_api_key: 'key not valid',
  address_not_allowed: 'address not allowed',
  permission_denied: 'no permission',
  not_found: 'unknown model',
  no_eligible_route: 'no eligible endpoint',
  capability_unsupported: 'not supported',
  operation_unsupported: 'wrong route for the model',
  unsupported_parameter: 'unknown parameter',
  invalid_request: 'invalid call',
  overloaded: 'overloaded',
};

/** Why a call was refused: `rate limit`. A code without words stands for itself. */
export const refusalWords = (code: string): string => refusals[code] ?? code;
