import { type Model, modelNamed } from '@svc/catalog';
import { allowsModel, isAvailable, modelNotFound } from '@svc/policy';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { modelEntry, modelListing } from '@svc/protocol';
import { type CatalogSource } from '../catalog/catalog-source';
import { type Authenticator } from '../pipeline/authenticate';
import { type OrganizationTerms, type TermsSource } from '../policy/organization-terms';
import { type TunedModels } from '../policy/tuned-models';

interface ModelRoutesOptions {
  readonly authenticator: Authenticator;
  readonly catalog: CatalogSource;
  readonly terms: TermsSource;
  readonly tunedModels: TunedModels;
}

/** `GET /v1/models` and `/v1/models/{id}`: the models available to the caller now, in both SDKs' shape. */
export function mountModelRoutes(server: FastifyInstance, options: ModelRoutesOptions): void {
  const { authenticator, catalog, terms, tunedModels } = options;
  const viewOf = async ({ headers, raw }: FastifyRequest) => {
    const { organizationId } = await authenticator.authenticate(headers, raw);
    const facts = await terms.of(organizationId);
    return { organizationId, isListed: (model: Model) => isListed(model, facts) };
  };

  for (const path of ['/v1/models', '/v1/v1/models']) {
    server.get(path, async (request) => {
      const { organizationId, isListed } = await viewOf(request);
      const current = catalog.current();
      const own = await tunedModels.modelsOf(organizationId, current);
      const models = [...current.models.values(), ...own].filter(isListed);
      return modelListing(models.flatMap(withAliases));
    });
    // A wildcard, because ids contain a slash, which only some clients encode.
    server.get<{ Params: { '*': string } }>(`${path}/*`, async (request) => {
      const { organizationId, isListed } = await viewOf(request);
      const modelId = request.params['*'];
      const seen = await tunedModels.catalogFor(modelId, organizationId, catalog.current());
      const model = modelNamed(seen, modelId);
      if (model && isListed(model)) return modelEntry(listedAs(modelId, model));
      throw modelNotFound({ modelId });
    });
  }
}

/** A tuned model is listed before something serves it, so that people find what to start. */
const isListed = (model: Model, facts: OrganizationTerms): boolean =>
  isAvailable(model, facts) ||
  (model.isTuned === true &&
    model.endpoints.length === 0 &&
    allowsModel(facts.policy, { modelId: model.id }));

/** A model and its aliases, as entries of the list. */
const withAliases = (model: Model) => [model.id, ...model.aliases].map((name) => listedAs(name, model));

/** An alias is listed as its model is, under its own name. */
const listedAs = (name: string, model: Model) => ({ ...model, id: name, ownedBy: creatorOf(model) });

const creatorOf = ({ id }: Model): string => id.split('/', 1)[0] ?? '';
