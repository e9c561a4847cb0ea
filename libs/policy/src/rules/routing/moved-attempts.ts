import { type ModelEndpoint } from '@svc/catalog';
import { type Move } from '../rollouts/rollout';
import { type PlannedAttempt } from './planned-attempt';

/**
 * Moves the attempts at the target to the front, but none on another credential before one on the organization's own. Otherwise the
 * order stays.
 */
export function movedToFront(
  attempts: readonly PlannedAttempt[],
  { to, isOtherModel }: Move,
): readonly PlannedAttempt[] {
  const afterOwn = attempts.findLastIndex(({ credential }) => credential === 'own') + 1;
  const own = attempts.slice(0, afterOwn);
  const others = attempts.slice(afterOwn);
  const isMoved = (attempt: PlannedAttempt) => isAt(to, attempt);
  const isOwnMoved = (attempt: PlannedAttempt) => attempt.credential === 'own' && isMoved(attempt);
  const placed = (attempt: PlannedAttempt): PlannedAttempt => ({ ...attempt, placedBy: 'rollout' });
  const stays = isOtherModel ? placed : (attempt: PlannedAttempt) => attempt;
  return [
    ...own.filter(isOwnMoved).map(placed),
    ...own.filter((attempt) => !isOwnMoved(attempt)).map(stays),
    ...others.filter(isMoved).map(placed),
    ...others.filter((attempt) => !isMoved(attempt)).map(stays),
  ];
}

/** True where the endpoint is where a rollout moves calls. */
export const isAt = (
  { provider, region }: Move['to'],
  { endpoint }: { readonly endpoint: Pick<ModelEndpoint, 'provider' | 'region'> },
): boolean =>
  (provider === undefined || provider === endpoint.provider.name) &&
  (region === undefined || region === endpoint.region);
