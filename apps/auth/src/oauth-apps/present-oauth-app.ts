import { presenter } from '@svc/api';
import { oauthApp } from '@svc/api/oauth-routes';
import { isScope } from '@svc/access';
import { type OauthAppRecord } from '@svc/access/store';

export const presentOauthApp = presenter<typeof oauthApp, OauthAppRecord>(oauthApp, {
  scopes: ({ scopes }) => scopes.filter(isScope),
});
