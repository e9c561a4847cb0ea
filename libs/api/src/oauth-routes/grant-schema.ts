import { z } from 'zod';
import { scopes } from '@svc/access';
import { id, timestamp } from '../fields';

const state = z
  .enum(['active', 'revoked'])
  .meta({ description: 'Tokens of a revoked grant are refused. The grant stays readable.' });

export const grant = z
  .object({
    id: id('grant'),
    organization_id: id('organization'),
    user_id: id('user').meta({ description: 'The member who consented.' }),
    app: z.object({
      id: id('oauthApp'),
      name: z.string().meta({ example: 'Cost charts' }),
      homepage: z.string().nullable().meta({ example: 'https://charts.example' }),
    }),
    scopes: z.array(z.enum(scopes)).meta({
      description: 'The scopes that the member consented to.',
      example: ['openid', 'usage:read'],
    }),
    state,
    created_at: timestamp(),
    last_used_at: timestamp().nullable().meta({ description: 'When tokens were last issued under it.' }),
    revoked_at: timestamp().nullable(),
  })
  .meta({ id: 'Grant', description: 'A member’s consent for an app.' });

export const grantFilters = {
  app_id: id('oauthApp').optional().meta({ description: 'Grants for this app only.' }),
  user_id: id('user').optional().meta({ description: 'Grants of this member only.' }),
  state: state.optional(),
};
