import { presenter } from '@svc/api';
import { grant } from '@svc/api/oauth-routes';
import { isScope } from '@svc/access';
import { type GrantRecord } from '@svc/access/store';

export const presentGrant = presenter<typeof grant, GrantRecord>(grant, {
  app: ({ app: { id, name, homepage } }) => ({ id, name, homepage }),
  scopes: ({ scopes }) => scopes.filter(isScope),
});
