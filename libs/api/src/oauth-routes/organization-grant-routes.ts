import { Resource } from '../resource';
import { type ResourceDeclaration } from '../resource-declaration';
import { Act, Get, List } from '../verbs';
import { grant, grantFilters } from './grant-schema';
import { OAUTH_APPS } from './headings';

const ids = { grant_id: 'grant' } as const;

/** Members' grants to apps in the organization, whoever registered the app. */
export const organizationGrantRoutes = {
  resource: Resource({ ...OAUTH_APPS, path: 'oauth-apps/grants', one: 'Grant', many: 'Grants' }),
  routes: {
    list: List('', {
      summary: 'The organization’s grants, newest first, revoked ones included.',
      permission: 'grant:read',
      scope: null,
      cursor: 'grant',
      query: grantFilters,
      item: grant,
    }),
    get: Get(':grant_id', {
      summary: 'One grant.',
      permission: 'grant:read',
      scope: null,
      ids,
      answer: grant,
    }),
    revoke: Act(':grant_id/revoke', {
      summary: 'Revokes a member’s grant with all its tokens.',
      description: 'The app’s next call is refused. A grant that is revoked already stays as it is.',
      permission: 'grant:revoke',
      scope: null,
      ids,
      answer: grant,
    }),
  },
} satisfies ResourceDeclaration;
