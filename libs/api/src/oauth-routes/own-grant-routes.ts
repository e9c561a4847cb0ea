import { Resource } from '../resource';
import { type ResourceDeclaration } from '../resource-declaration';
import { Act, Get, List } from '../verbs';
import { grant } from './grant-schema';
import { OAUTH } from './headings';

const own = { permission: null, scope: null, acrossOrganizations: true, callers: ['session'] } as const;
const ids = { grant_id: 'grant' } as const;

/** The calling user's own consents, in all organizations. */
export const ownGrantRoutes = {
  resource: Resource({
    ...OAUTH,
    path: 'oauth/grants',
    scopedPath: null,
    one: 'OwnGrant',
    many: 'OwnGrants',
  }),
  routes: {
    list: List('', {
      ...own,
      summary: 'The calling user’s grants, newest first, revoked ones included.',
      cursor: 'grant',
      item: grant,
    }),
    get: Get(':grant_id', { ...own, summary: 'One of the calling user’s grants.', ids, answer: grant }),
    revoke: Act(':grant_id/revoke', {
      ...own,
      summary: 'Revokes a grant with all its tokens.',
      description: 'The app’s next call is refused. A grant that is revoked already stays as it is.',
      ids,
      answer: grant,
    }),
  },
} satisfies ResourceDeclaration;
