export { grant, grantFilters } from './grant-schema';
export { oauthAppRoutes } from './oauth-app-routes';
export {
  newOauthApp,
  OAUTH_APPS_MAX,
  oauthApp,
  oauthAppChange,
  registeredOauthApp,
} from './oauth-app-schema';
export { oauthProtocolRoutes } from './oauth-protocol-routes';
export { oauthResources } from './oauth-resources';
export { organizationGrantRoutes } from './organization-grant-routes';
export { ownGrantRoutes } from './own-grant-routes';
export { signingKey, signingKeyRoutes } from './signing-key-routes';
export { userinfoRoutes } from './userinfo-routes';
