import { type Catalog, type FineTuningOffer } from '@svc/catalog';
import { GatewayError } from '@svc/kernel';
import { availability } from './availability';
import { type OrganizationFacts } from './routing-facts';
import { type TunedModel } from './tuned-model';

interface ServingPlan {
  readonly offer: FineTuningOffer;
  readonly hardware: FineTuningOffer['hardware'][number];
}

/** The offer that a tuned model was trained by; undefined where the catalog does not have it any more. */
export const offerOf = (
  { fineTuning }: Pick<Catalog, 'fineTuning'>,
  { baseModel, provider, region }: Pick<TunedModel, 'baseModel' | 'provider' | 'region'>,
): FineTuningOffer | undefined =>
  fineTuning.find(
    (offer) => offer.modelId === baseModel && offer.provider.name === provider && offer.region === region,
  );

/**
 * Plans machines for a tuned model, as a call is planned: by the policy's models, providers, regions, retention and credentials.
 * @throws GatewayError as for a call; `noEligibleRoute` where the catalog has no machines for it; `invalidRequest` for hardware that is not
 * among them
 */
export function planServing(
  tuned: TunedModel,
  hardwareId: string,
  catalog: Catalog,
  facts: OrganizationFacts,
): ServingPlan {
  const offer = offerOf(catalog, tuned);
  if (offer === undefined || offer.hardware.length === 0) {
    throw new GatewayError(
      'noEligibleRoute',
      `The catalog has no hardware for the model \`${tuned.name}\`.`,
      {
        param: 'model',
      },
    );
  }
  const place = { ...offer, modelId: tuned.name, tunedFrom: tuned.baseModel, credential: tuned.credential };
  for (const { admits, refusal } of availability) {
    if (!admits(place, facts)) throw refusal({ modelId: tuned.name }, [place], facts);
  }
  const hardware = offer.hardware.find(({ id }) => id === hardwareId);
  if (hardware !== undefined) return { offer, hardware };
  const ids = offer.hardware.map(({ id }) => id).join(', ');
  throw new GatewayError('invalidRequest', `hardware: must be one of ${ids} for this model.`, {
    param: 'hardware',
  });
}
