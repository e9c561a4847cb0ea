import { type FastifyInstance } from 'fastify';
import { isAvailable, modelNotFound } from '@svc/inference';
import { modelEntry, modelListing } from '@svc/protocol';
import { type CatalogSource } from '../catalog/catalog-source';
import { type Authenticator } from '../pipeline/authenticate';
import { type CallHeaders } from '../pipeline/resolve-project';
import { type OrganizationTerms, type TermsSource } from '../policy/organization-terms';

export interface ModelRoutesOptions {
  readonly authenticator: Authenticator;
  readonly catalog: CatalogSource;
  readonly terms: TermsSource;
}

/** `GET /v1/models` and `/v1/models/{id}`: the models that the caller could be served now, in both SDKs' shape. */
export function mountModelRoutes(server: FastifyInstance, options: ModelRoutesOptions): void {
  const { authenticator, catalog, terms } = options;
  const termsOfCaller = async (headers: CallHeaders): Promise<OrganizationTerms> =>
    terms.of((await authenticator.authenticate(headers)).organizationId);

  for (const path of ['/v1/models', '/v1/v1/models']) {
    server.get(path, async (request) => {
      const facts = await termsOfCaller(request.headers);
      return modelListing(
        [...catalog.current().models.values()].filter((model) => isAvailable(model, facts)),
      );
    });
    // A wildcard, because ids contain a slash, which some clients encode and some don't.
    server.get<{ Params: { '*': string } }>(`${path}/*`, async (request) => {
      const facts = await termsOfCaller(request.headers);
      const modelId = request.params['*'];
      const model = catalog.current().models.get(modelId);
      if (model && isAvailable(model, facts)) return modelEntry(model);
      throw modelNotFound({ modelId });
    });
  }
}
