import { type Model, modelNamed } from '@svc/catalog';
import { allowsModel, allowsOperation, isAvailable, modelNotFound, modelWithin } from '@svc/policy';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { modelEntry, modelListing, OPERATIONS } from '@svc/protocol';
import { type CatalogSource } from '../catalog/catalog-source';
import { type Authenticator } from '../pipeline/authenticate';
import { type OrganizationTerms, type TermsSource } from '../policy/organization-terms';
import { type ProjectResolver } from '../pipeline/resolve-project';
import { type TunedModels } from '../policy/tuned-models';

interface ModelRoutesOptions {
  readonly authenticator: Authenticator;
  readonly projects: ProjectResolver;
  readonly catalog: CatalogSource;
  readonly terms: TermsSource;
  readonly tunedModels: TunedModels;
}

/**
 * `GET /v1/models` and `/v1/models/{id}`: the models that the caller's plain calls reach, in both SDKs' shape. With a project
 * header, those of calls with that header.
 */
export function mountModelRoutes(server: FastifyInstance, options: ModelRoutesOptions): void {
  const { authenticator, projects, catalog, terms, tunedModels } = options;
  const viewOf = async ({ headers, raw }: FastifyRequest) => {
    const caller = await authenticator.authenticate(headers, raw);
    const { organizationId, apiKeyId } = caller;
    const projectId = await projects.resolve(caller, headers);
    const facts = await terms.of({ organizationId, projectId, apiKeyId });
    return {
      organizationId,
      /** Null for a model that is not listed. */
      shown: (model: Model) => (isListed(model, facts) ? modelWithin(model, facts.policy) : null),
    };
  };

  for (const path of ['/v1/models', '/v1/v1/models']) {
    server.get(path, async (request) => {
      const { organizationId, shown } = await viewOf(request);
      const current = catalog.current();
      const own = await tunedModels.modelsOf(organizationId, current);
      const models = [...current.models.values(), ...own].flatMap((model) => shown(model) ?? []);
      return modelListing(models.flatMap(withAliases));
    });
    // A wildcard, because ids contain a slash, which only some clients encode.
    server.get<{ Params: { '*': string } }>(`${path}/*`, async (request) => {
      const { organizationId, shown } = await viewOf(request);
      const modelId = request.params['*'];
      const seen = await tunedModels.catalogFor(modelId, organizationId, catalog.current());
      const found = modelNamed(seen, modelId);
      const model = found && shown(found);
      if (model) return modelEntry(listedAs(modelId, model));
      throw modelNotFound({ modelId });
    });
  }
}

/** A tuned model is listed before something serves it, so that people find what to start. */
const isListed = (model: Model, facts: OrganizationTerms): boolean =>
  isAvailable(model, facts) ||
  (model.tunedFrom !== undefined &&
    model.endpoints.length === 0 &&
    allowsModel(facts.policy, { modelId: model.id, tunedFrom: model.tunedFrom }) &&
    OPERATIONS.some((operation) => allowsOperation(facts.policy, operation)));

/** A model and its aliases, as entries of the list. */
const withAliases = (model: Model) => [model.id, ...model.aliases].map((name) => listedAs(name, model));

/** An alias is listed as its model is, under its own name. */
const listedAs = (name: string, model: Model) => ({ ...model, id: name, ownedBy: creatorOf(model) });

const creatorOf = ({ id }: Model): string => id.split('/', 1)[0] ?? '';
