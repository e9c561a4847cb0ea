import { type FastifyInstance } from 'fastify';
import { type Model } from '@svc/inference';
import { GatewayError } from '@svc/kernel';
import { modelEntry, modelListing } from '@svc/protocol';
import { type CatalogSource } from '../catalog/catalog-source';
import { type Credentials } from '../catalog/credentials';
import { type Authenticator } from '../pipeline/authenticate';

export interface ModelRoutesOptions {
  readonly authenticator: Authenticator;
  readonly catalog: CatalogSource;
  readonly credentials: Credentials;
}

/** `GET /v1/models` and `/v1/models/{id}`: the models that the caller could be served now, in both SDKs' shape. */
export function mountModelRoutes(server: FastifyInstance, options: ModelRoutesOptions): void {
  const { authenticator, catalog, credentials } = options;
  const isAvailable = ({ endpoints }: Model) =>
    endpoints.some(({ provider }) => provider.credentialEnv === null || credentials.has(provider));

  for (const path of ['/v1/models', '/v1/v1/models']) {
    server.get(path, async (request) => {
      await authenticator.authenticate(request.headers);
      return modelListing([...catalog.current().models.values()].filter(isAvailable));
    });
    // A wildcard, because ids contain a slash, which some clients encode and some don't.
    server.get<{ Params: { '*': string } }>(`${path}/*`, async (request) => {
      await authenticator.authenticate(request.headers);
      const id = request.params['*'];
      const model = catalog.current().models.get(id);
      if (model && isAvailable(model)) return modelEntry(model);
      throw new GatewayError(
        'notFound',
        `The model \`${id}\` does not exist or is not available to your organization.`,
        {
          param: 'model',
        },
      );
    });
  }
}
