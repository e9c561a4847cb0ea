import { type ResourceDeclaration } from '../resource-declaration';
import { oauthAppRoutes } from './oauth-app-routes';
import { organizationGrantRoutes } from './organization-grant-routes';
import { ownGrantRoutes } from './own-grant-routes';
import { signingKeyRoutes } from './signing-key-routes';
import { userinfoRoutes } from './userinfo-routes';

/** Every resource that the auth service serves, in the order of the reference. */
export const oauthResources: readonly ResourceDeclaration[] = [
  userinfoRoutes,
  ownGrantRoutes,
  organizationGrantRoutes,
  oauthAppRoutes,
  signingKeyRoutes,
];
