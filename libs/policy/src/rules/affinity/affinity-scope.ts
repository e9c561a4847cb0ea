import { type ModelEndpoint } from '@svc/catalog';
import { type Policy } from '../policy/policy';

/** True where conversations return to the endpoint: with `auto` where it reads its prompt cache for less than it takes for input. */
export function holdsAffinity(
  { affinity }: Pick<Policy, 'affinity'>,
  { prices }: Pick<ModelEndpoint, 'prices'>,
): boolean {
  if (affinity === 'off') return false;
  return affinity === 'always' || prices.cachedInput < prices.input;
}
