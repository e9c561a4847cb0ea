import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type z } from 'zod';
import { known, requireRoom, type Caller } from '@svc/api';
import { OAUTH_APPS_MAX, type newOauthApp, type oauthAppChange } from '@svc/api/oauth-routes';
import { Mutations } from '@svc/approvals/store';
import { formatSecret, SECRET_ENTROPY_BYTES, secretHash, type SecretKind } from '@svc/access';
import { type OauthAppRecord, OauthAppStore } from '@svc/access/store';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields, type Transaction } from '@svc/database';

export interface RegisteredApp<Secret extends string | null> {
  readonly app: OauthAppRecord;
  /** Never stored; null for a public app. */
  readonly clientSecret: Secret;
}

/** Apps that an organization registers (docs/reference/oauth.md#apps). */
@Injectable()
export class OauthApps {
  constructor(
    private readonly store: OauthAppStore,
    private readonly mutations: Mutations,
  ) {}

  list({ organizationId }: Caller, page: Page): Promise<Slice<OauthAppRecord>> {
    return this.store.listApps(organizationId, page);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId }: Caller, id: string): Promise<OauthAppRecord> {
    return known(await this.store.findApp(organizationId, id));
  }

  /** @throws GatewayError `conflict` above the most apps. */
  register(caller: Caller, body: z.output<typeof newOauthApp>): Promise<RegisteredApp<string | null>> {
    const { organizationId } = caller;
    const clientSecret = body.app_type === 'confidential' ? newSecret('clientSecret') : null;
    return this.mutations.run(caller, async ({ tx, newId, audit }) => {
      const count = await this.store.lockAppCount(tx, organizationId);
      requireRoom(count, OAUTH_APPS_MAX, 'active OAuth apps', 'revoke one first');
      const app = await this.store.createApp(tx, {
        id: newId('oauthApp'),
        organizationId,
        name: body.name,
        clientId: newSecret('clientId'),
        clientSecretSha256: clientSecret === null ? null : secretHash(clientSecret),
        redirectUris: distinct(body.redirect_uris),
        scopes: distinct(body.scopes),
        homepage: body.homepage,
      });
      const { appType: app_type, clientId: client_id } = app;
      await audit('oauth_app.create', app.id, initialFields({ ...audited(app), app_type, client_id }));
      return { app, clientSecret };
    });
  }

  /** @throws GatewayError `notFound`; `conflict` for a revoked app. */
  change(caller: Caller, id: string, body: z.output<typeof oauthAppChange>): Promise<OauthAppRecord> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const before = await this.lock(tx, caller, id);
      const given = {
        ...body,
        ...(body.redirect_uris && { redirect_uris: distinct(body.redirect_uris) }),
        ...(body.scopes && { scopes: distinct(body.scopes) }),
      };
      const changes = changedFields(audited(before), given);
      if (Object.keys(changes).length === 0) return before;
      if (before.state !== 'active') throw revoked();
      await audit('oauth_app.update', id, changes, audited(before));
      const after = await this.store.updateApp(tx, caller.organizationId, id, {
        ...(given.name !== undefined && { name: given.name }),
        ...(given.redirect_uris && { redirectUris: given.redirect_uris }),
        ...(given.scopes && { scopes: given.scopes }),
        ...(given.homepage !== undefined && { homepage: given.homepage }),
      });
      if (after === null) throw new Error('A locked app changed');
      return after;
    });
  }

  /**
   * The old secret is invalid at once.
   * @throws GatewayError `notFound`, `invalidRequest` for a public app, `conflict` for a revoked one.
   */
  rotateSecret(caller: Caller, id: string): Promise<RegisteredApp<string>> {
    const clientSecret = newSecret('clientSecret');
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const before = await this.lock(tx, caller, id);
      if (before.appType === 'public')
        throw new GatewayError('invalidRequest', 'A public app has no secret.');
      if (before.state !== 'active') throw revoked();
      const sha256 = secretHash(clientSecret);
      const app = await this.store.rotateSecret(tx, caller.organizationId, id, sha256);
      if (app === null) throw new Error('A locked app changed');
      await audit(
        'oauth_app.rotate_secret',
        id,
        {},
        { ...audited(before), updated_at: before.updatedAt.toISOString() },
      );
      return { app, clientSecret };
    });
  }

  /**
   * Ends every grant and token of the app. An app that is already revoked stays as it is.
   * @throws GatewayError `notFound`.
   */
  revoke(caller: Caller, id: string): Promise<void> {
    return this.mutations.run(caller, async ({ tx, at, audit }) => {
      const ended = known(await this.store.revokeApp(tx, caller.organizationId, id, at));
      if (!ended.wasActive) return;
      await audit('oauth_app.revoke', id, changedFields({ state: 'active' }, { state: 'revoked' }));
    });
  }

  private async lock(tx: Transaction, { organizationId }: Caller, id: string): Promise<OauthAppRecord> {
    return known(await this.store.lockApp(tx, organizationId, id));
  }
}

const newSecret = (kind: SecretKind): string => formatSecret(kind, randomBytes(SECRET_ENTROPY_BYTES));

const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)];

const revoked = (): GatewayError => new GatewayError('conflict', 'A revoked app cannot be changed.');

const audited = ({ name, redirectUris, scopes, homepage }: OauthAppRecord) => ({
  name,
  redirect_uris: [...redirectUris],
  scopes: [...scopes],
  homepage,
});
