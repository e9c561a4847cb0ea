import { Resource } from '../resource';
import { type ResourceDeclaration } from '../resource-declaration';
import { Act, Change, Create, Get, List, Remove } from '../verbs';
import { OAUTH_APPS } from './headings';
import {
  newOauthApp,
  OAUTH_APPS_MAX,
  oauthApp,
  oauthAppChange,
  registeredOauthApp,
  rotatedSecret,
} from './oauth-app-schema';

const ids = { app_id: 'oauthApp' } as const;

/** Apps that the organization registered. */
export const oauthAppRoutes = {
  resource: Resource({ ...OAUTH_APPS, path: 'oauth-apps', one: 'OauthApp', many: 'OauthApps' }),
  routes: {
    list: List('', {
      summary: 'The apps that the organization registered, newest first, revoked ones included.',
      permission: 'oauth_app:read',
      scope: null,
      cursor: 'oauthApp',
      item: oauthApp,
    }),
    get: Get(':app_id', {
      summary: 'One app.',
      permission: 'oauth_app:read',
      scope: null,
      ids,
      answer: oauthApp,
    }),
    register: Create('', {
      summary: 'Registers an app.',
      description:
        'Members of any organization can consent to the app. Only this answer shows its secret. An organization has at ' +
        `most ${String(OAUTH_APPS_MAX)} active apps.`,
      permission: 'oauth_app:write',
      scope: null,
      approval: 'oauth_app.create',
      errors: ['conflict'],
      secretField: 'client_secret',
      operation: 'registerOauthApp',
      body: newOauthApp,
      answer: registeredOauthApp,
    }),
    change: Change(':app_id', {
      summary: 'Changes an app.',
      description: 'The app’s type stays. A revoked app cannot be changed.',
      permission: 'oauth_app:write',
      scope: null,
      approval: 'oauth_app.update',
      errors: ['conflict'],
      ids,
      body: oauthAppChange,
      answer: oauthApp,
    }),
    rotateSecret: Act(':app_id/rotate-secret', {
      summary: 'Rotates the secret of a confidential app.',
      description:
        'The old secret stops working at once. Tokens stay valid. Only this answer shows the new secret.',
      permission: 'oauth_app:write',
      scope: null,
      approval: 'oauth_app.rotate_secret',
      secretField: 'client_secret',
      errors: ['conflict'],
      operation: 'rotateOauthAppSecret',
      ids,
      answer: rotatedSecret,
    }),
    revoke: Remove(':app_id', {
      summary: 'Revokes an app for good, with all its grants and tokens.',
      description: 'The app’s next call is refused. Its record stays readable.',
      permission: 'oauth_app:write',
      scope: null,
      ids,
    }),
  },
} satisfies ResourceDeclaration;
