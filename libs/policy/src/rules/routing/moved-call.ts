import { type Catalog, type Model, modelNamed } from '@svc/catalog';
import { type Move, type Rollout } from '../rollouts/rollout';
import { availableEndpoints } from './availability';
import { isAt } from './moved-attempts';
import { type OrganizationFacts } from './routing-facts';

/** How a call is planned that a rollout takes. */
export interface MovedCall {
  readonly modelId: string;
  readonly move: Move;
}

/**
 * @param asked the model of the call
 * @param catalog has the model that the rollout moves calls to, where the organization had it trained
 * @returns null where the caller may use nothing of what the rollout names: then the call stays where it was
 */
export function movedCall(
  { to }: Pick<Rollout, 'to'>,
  asked: Model,
  facts: OrganizationFacts & { readonly catalog: Catalog },
): MovedCall | null {
  const model = to.model === undefined ? asked : modelNamed(facts.catalog, to.model);
  if (model === undefined) return null;
  if (!availableEndpoints(model, facts).some((endpoint) => isAt(to, { endpoint }))) return null;
  return { modelId: model.id, move: { to, isOtherModel: model.id !== asked.id } };
}
