import { type Call } from '@svc/api';
import { oauthAppRoutes, type newOauthApp, type oauthAppChange } from '@svc/api/oauth-routes';
import { OauthApps } from './oauth-apps';
import { presentOauthApp } from './present-oauth-app';

const { resource, routes } = oauthAppRoutes;

@resource
export class OauthAppsController {
  constructor(private readonly apps: OauthApps) {}

  @routes.list
  async list({ caller, page }: Call) {
    const { items, hasMore } = await this.apps.list(caller, page);
    return { items: items.map(presentOauthApp), hasMore };
  }

  @routes.get
  async get({ caller, ids }: Call<{ ids: 'app_id' }>) {
    return presentOauthApp(await this.apps.get(caller, ids.app_id));
  }

  @routes.register
  async register({ caller, body }: Call<{ body: typeof newOauthApp }>) {
    const { app, clientSecret } = await this.apps.register(caller, body);
    return { app: presentOauthApp(app), client_secret: clientSecret };
  }

  @routes.change
  async change({ caller, ids, body }: Call<{ ids: 'app_id'; body: typeof oauthAppChange }>) {
    return presentOauthApp(await this.apps.change(caller, ids.app_id, body));
  }

  @routes.rotateSecret
  async rotateSecret({ caller, ids }: Call<{ ids: 'app_id' }>) {
    const { app, clientSecret } = await this.apps.rotateSecret(caller, ids.app_id);
    return { app: presentOauthApp(app), client_secret: clientSecret };
  }

  @routes.revoke
  async revoke({ caller, ids }: Call<{ ids: 'app_id' }>) {
    await this.apps.revoke(caller, ids.app_id);
  }
}
