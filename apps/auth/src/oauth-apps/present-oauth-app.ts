import { type z } from 'zod';
import { presentTime, presentTimeOrNull } from '@svc/api';
import { type oauthApp } from '@svc/api/oauth-routes';
import { isScope } from '@svc/access';
import { type OauthAppRecord } from '@svc/access/store';

export const presentOauthApp = (record: OauthAppRecord): z.input<typeof oauthApp> => ({
  id: record.id,
  organization_id: record.organizationId,
  name: record.name,
  app_type: record.appType,
  client_id: record.clientId,
  has_secret: record.hasSecret,
  state: record.state,
  redirect_uris: [...record.redirectUris],
  scopes: record.scopes.filter(isScope),
  homepage: record.homepage,
  created_at: presentTime(record.createdAt),
  updated_at: presentTime(record.updatedAt),
  revoked_at: presentTimeOrNull(record.revokedAt),
});
