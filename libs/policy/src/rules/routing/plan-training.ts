import { type Catalog, type FineTuningOffer, modelNamed } from '@svc/catalog';
import { GatewayError } from '@svc/kernel';
import { availability, modelNotFound } from './availability';
import { credentialSources, type CredentialSource } from './credential-sources';
import { type OrganizationFacts } from './routing-facts';

interface TrainingPlan {
  readonly offer: FineTuningOffer;
  readonly credential: CredentialSource;
}

/**
 * Plans a job as a call is planned: by the policy's models, providers, regions, retention and credentials. Of several
 * offers the cheapest is taken, of equal ones the first of the catalog.
 * @throws GatewayError `notFound`, `noEligibleRoute` as for a call; `operationUnsupported` for a model that nobody trains
 */
export function planTraining(modelId: string, catalog: Catalog, facts: OrganizationFacts): TrainingPlan {
  const model = modelNamed(catalog, modelId);
  const named = { modelId };
  if (model === undefined) throw modelNotFound(named);
  const offers = catalog.fineTuning.filter((offer) => offer.modelId === model.id);
  if (offers.length === 0)
    throw untrained(
      model.endpoints.some((one) => isAvailable(one, facts)),
      modelId,
    );
  const [offer] = availableOffers(offers, named, facts).toSorted((a, b) =>
    Number(a.pricePerTrainedToken - b.pricePerTrainedToken),
  );
  const [credential] = offer === undefined ? [] : credentialSources(offer, facts);
  if (offer === undefined || credential === undefined) throw modelNotFound(named);
  return { offer, credential };
}

/** @throws GatewayError the refusal of the first constraint that left no offer */
function availableOffers(
  offers: readonly FineTuningOffer[],
  named: { readonly modelId: string },
  facts: OrganizationFacts,
): readonly FineTuningOffer[] {
  let candidates = offers;
  for (const { admits, refusal } of availability) {
    const left = candidates.filter((offer) => admits(offer, facts));
    if (left.length === 0) throw refusal(named, candidates, facts);
    candidates = left;
  }
  return candidates;
}

const isAvailable = (
  endpoint: Parameters<(typeof availability)[number]['admits']>[0],
  facts: OrganizationFacts,
): boolean => availability.every(({ admits }) => admits(endpoint, facts));

/** A model that the organization cannot use looks like one that does not exist. */
const untrained = (isUsable: boolean, modelId: string): GatewayError =>
  isUsable
    ? new GatewayError(
        'operationUnsupported',
        `The model \`${modelId}\` cannot be fine-tuned here. GET /api/v1/catalog/models says which can.`,
        { param: 'model' },
      )
    : modelNotFound({ modelId });
