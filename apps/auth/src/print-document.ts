import 'reflect-metadata';
import { documentOf, sessionRoutes } from '@svc/api';
import { oauthProtocolRoutes, oauthResources } from '@svc/api/oauth-routes';

/** Prints the OpenAPI document of login and of OAuth, for the console's typed client. Nothing runs. */
const document = documentOf({
  baseUrl: 'http://localhost:8080',
  controllers: [],
  otherRoutes: [sessionRoutes, oauthProtocolRoutes],
  otherResources: oauthResources,
});
process.stdout.write(JSON.stringify(document));
