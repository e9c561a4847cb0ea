import { type Catalog, type Model, modelNamed } from '@svc/catalog';
import { assignRollouts, movedCall, type MovedCall, type RunningRollout } from '@svc/policy';
import { type CallArm } from '../call-minutes/rollout-minute-sums';
import { type CallContext, type CallRollouts } from '../context/call-context';
import { type OrganizationTerms } from '../policy/organization-terms';
import { type TunedModels } from '../policy/tuned-models';

/** The place of a call in the rollouts of its model. */
export interface RolloutOfCall {
  /** Null: it stays where it was. */
  readonly moved: (MovedCall & { readonly rolloutId: string; readonly catalog: Catalog }) | null;
  /** Of a call that stays. */
  readonly arms: readonly CallArm[];
}

const NO_ARMS: readonly CallArm[] = [];
/** No rollout has to do with the call: as nearly always. */
export const NO_ROLLOUT: RolloutOfCall = { moved: null, arms: NO_ARMS };

/** Of a call that its rollout moved. */
export const movedBy = ({ rolloutId, move }: NonNullable<RolloutOfCall['moved']>): CallRollouts => ({
  arms: [{ rolloutId, arm: 'treatment' }],
  isOtherModel: move.isOtherModel,
});

/** Only calls of organizations with running rollouts ask. */
export async function rolloutOfCall(
  context: CallContext,
  terms: OrganizationTerms,
  catalog: Catalog,
  tunedModels: TunedModels,
): Promise<RolloutOfCall> {
  const { parsed, endUser, sessionId, apiKeyId, organizationId } = context;
  const asked = modelNamed(catalog, parsed.model);
  if (asked === undefined) return NO_ROLLOUT;
  const subjects = { end_user: endUser?.id ?? null, session: sessionId, api_key: apiKeyId };
  const { taken, compared } = assignRollouts(terms.rollouts, isOf(asked, catalog), subjects);
  if (taken === null) {
    return { moved: null, arms: compared.map(({ id }) => ({ rolloutId: id, arm: 'control' })) };
  }
  const { model = asked.id } = taken.to;
  const seen = await tunedModels.catalogFor(model, organizationId, catalog);
  const moved = movedCall(taken, asked, { ...terms, catalog: seen });
  return { moved: moved && { ...moved, rolloutId: taken.id, catalog: seen }, arms: NO_ARMS };
}

const isOf =
  (asked: Model, catalog: Catalog) =>
  ({ model }: RunningRollout): boolean =>
    modelNamed(catalog, model)?.id === asked.id;
