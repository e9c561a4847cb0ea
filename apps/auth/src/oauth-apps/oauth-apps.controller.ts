import { Act, Change, Create, Get, List, Remove, Resource, type Call } from '@svc/platform/api';
import { newOauthApp, oauthApp, oauthAppChange, registeredOauthApp, rotatedSecret } from './oauth-app-schema';
import { OauthApps } from './oauth-apps';
import { presentOauthApp } from './present-oauth-app';

const ids = { app_id: 'oauthApp' } as const;

@Resource({
  path: 'oauth-apps',
  one: 'OauthApp',
  many: 'OauthApps',
  tag: 'OAuth apps',
  description: 'Apps that act for members who consent, and what members consented to.',
})
export class OauthAppsController {
  constructor(private readonly apps: OauthApps) {}

  @List('', {
    summary: 'The apps that the organization registered, newest first, revoked ones included.',
    permission: 'oauth_app:read',
    scope: null,
    cursor: 'oauthApp',
    item: oauthApp,
  })
  async list({ caller, page }: Call) {
    const { items, hasMore } = await this.apps.list(caller, page);
    return { items: items.map(presentOauthApp), hasMore };
  }

  @Get(':app_id', {
    summary: 'One app.',
    permission: 'oauth_app:read',
    scope: null,
    ids,
    answer: oauthApp,
  })
  async get({ caller, ids }: Call<{ ids: 'app_id' }>) {
    return presentOauthApp(await this.apps.get(caller, ids.app_id));
  }

  @Create('', {
    summary: 'Registers an app.',
    description:
      'Members of any organization can consent to it. The answer is the only one that shows its secret.',
    permission: 'oauth_app:write',
    scope: null,
    operation: 'registerOauthApp',
    body: newOauthApp,
    answer: registeredOauthApp,
  })
  async register({ caller, body }: Call<{ body: typeof newOauthApp }>) {
    const { app, clientSecret } = await this.apps.register(caller, body);
    return { app: presentOauthApp(app), client_secret: clientSecret };
  }

  @Change(':app_id', {
    summary: 'Changes an app.',
    description: 'Its type stays what it was. A revoked app can not be changed.',
    permission: 'oauth_app:write',
    scope: null,
    errors: ['conflict'],
    ids,
    body: oauthAppChange,
    answer: oauthApp,
  })
  async change({ caller, ids, body }: Call<{ ids: 'app_id'; body: typeof oauthAppChange }>) {
    return presentOauthApp(await this.apps.change(caller, ids.app_id, body));
  }

  @Act(':app_id/rotate-secret', {
    summary: 'Gives a confidential app a new secret.',
    description:
      'The old one ends at once; tokens stay as they are. The answer is the only one that shows the new one.',
    permission: 'oauth_app:write',
    scope: null,
    errors: ['conflict'],
    operation: 'rotateOauthAppSecret',
    ids,
    answer: rotatedSecret,
  })
  async rotateSecret({ caller, ids }: Call<{ ids: 'app_id' }>) {
    const { app, clientSecret } = await this.apps.rotateSecret(caller, ids.app_id);
    return { app: presentOauthApp(app), client_secret: clientSecret };
  }

  @Remove(':app_id', {
    summary: 'Revokes an app, for good, with every grant and token of it.',
    description: 'Its next call is refused. It stays readable.',
    permission: 'oauth_app:write',
    scope: null,
    ids,
  })
  async revoke({ caller, ids }: Call<{ ids: 'app_id' }>) {
    await this.apps.revoke(caller, ids.app_id);
  }
}
