import { type FastifyInstance } from 'fastify';
import { isAvailable, modelNamed, modelNotFound, type Model } from '@svc/inference';
import { modelEntry, modelListing } from '@svc/protocol';
import { type CatalogSource } from '../catalog/catalog-source';
import { type Authenticator } from '../pipeline/authenticate';
import { type CallHeaders } from '../call/inference-call';
import { type OrganizationTerms, type TermsSource } from '../policy/organization-terms';

interface ModelRoutesOptions {
  readonly authenticator: Authenticator;
  readonly catalog: CatalogSource;
  readonly terms: TermsSource;
}

/** `GET /v1/models` and `/v1/models/{id}`: the models available to the caller now, in both SDKs' shape. */
export function mountModelRoutes(server: FastifyInstance, options: ModelRoutesOptions): void {
  const { authenticator, catalog, terms } = options;
  const termsOfCaller = async (headers: CallHeaders): Promise<OrganizationTerms> =>
    terms.of((await authenticator.authenticate(headers)).organizationId);

  for (const path of ['/v1/models', '/v1/v1/models']) {
    server.get(path, async (request) => {
      const facts = await termsOfCaller(request.headers);
      const models = [...catalog.current().models.values()].filter((model) => isAvailable(model, facts));
      return modelListing(models.flatMap(withAliases));
    });
    // A wildcard, because ids contain a slash, which only some clients encode.
    server.get<{ Params: { '*': string } }>(`${path}/*`, async (request) => {
      const facts = await termsOfCaller(request.headers);
      const modelId = request.params['*'];
      const model = modelNamed(catalog.current(), modelId);
      if (model && isAvailable(model, facts)) return modelEntry(listedAs(modelId, model));
      throw modelNotFound({ modelId });
    });
  }
}

/** A model and its aliases, as entries of the list. */
const withAliases = (model: Model) => [model.id, ...model.aliases].map((name) => listedAs(name, model));

/** An alias is listed as its model is, under its own name. */
const listedAs = (name: string, model: Model) => ({ ...model, id: name, ownedBy: creatorOf(model) });

const creatorOf = ({ id }: Model): string => id.split('/', 1)[0] ?? '';
