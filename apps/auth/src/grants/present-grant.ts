import { type z } from 'zod';
import { presentTime, presentTimeOrNull } from '@svc/api';
import { type grant } from '@svc/api/oauth-routes';
import { isScope } from '@svc/access';
import { type GrantRecord } from '@svc/access/store';

export const presentGrant = ({ app, ...record }: GrantRecord): z.input<typeof grant> => ({
  id: record.id,
  organization_id: record.organizationId,
  user_id: record.userId,
  app: { id: app.id, name: app.name, homepage: app.homepage },
  scopes: record.scopes.filter(isScope),
  state: record.state,
  created_at: presentTime(record.createdAt),
  last_used_at: presentTimeOrNull(record.lastUsedAt),
  revoked_at: presentTimeOrNull(record.revokedAt),
});
