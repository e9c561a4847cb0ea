import { Inject, Injectable } from '@nestjs/common';
import { type z } from 'zod';
import { known, recordFields, requireRoom, type Caller } from '@svc/api';
import { type Mutation, Mutations } from '@svc/approvals/store';
import { type Catalog } from '@svc/catalog';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields } from '@svc/database';
import {
  credentialContext,
  type CredentialFilter,
  CredentialReportStore,
  type ProviderCredential,
  ProviderCredentialStore,
  type ReportedHealth,
  type StoredSecret,
} from '@svc/policy/store';
import { type Sealer } from '@svc/runtime';
import { CATALOG, SEALER } from '../runtime';
import {
  requireChangeable,
  requireRotatable,
  stateAfter,
  type CredentialAction,
} from './credential-transitions';
import {
  CREDENTIALS_MAX,
  CREDENTIALS_OF_PROVIDER_MAX,
  auditedSettings,
  type newProviderCredential,
  type providerCredentialChange,
  type ShownCredential,
} from './provider-credential-schema';

/** Credentials by which an organization calls providers on its own account. Their secrets are never shown. */
@Injectable()
export class ProviderCredentials {
  constructor(
    private readonly store: ProviderCredentialStore,
    private readonly reports: CredentialReportStore,
    private readonly mutations: Mutations,
    @Inject(SEALER) private readonly sealer: Sealer,
    @Inject(CATALOG) private readonly catalog: () => Catalog,
  ) {}

  async list(
    { organizationId }: Caller,
    page: Page,
    filter: CredentialFilter,
  ): Promise<Slice<ShownCredential>> {
    const { items, hasMore } = await this.store.listCredentials(organizationId, page, filter);
    return { items: await this.shown(items), hasMore };
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId }: Caller, id: string): Promise<ShownCredential> {
    return this.shownOne(known(await this.store.findCredential(organizationId, id)));
  }

  /**
   * @throws GatewayError `invalidRequest` for a provider that the catalog does not list; `conflict` above the most
   * credentials.
   */
  async create(caller: Caller, body: z.output<typeof newProviderCredential>): Promise<ShownCredential> {
    const { store, mutations, catalog } = this;
    const { secret, ...asked } = body;
    const { provider } = asked;
    if (!catalog().providers.has(provider)) {
      throw new GatewayError('invalidRequest', 'The catalog lists no provider of this name.', {
        param: 'provider',
      });
    }
    const { organizationId } = caller;
    const made = await mutations.run(caller, async ({ tx, newId, audit, announce }) => {
      const count = await store.lockCredentialCount(tx, organizationId);
      requireRoom(count, CREDENTIALS_MAX, 'active and disabled credentials', 'revoke one first');
      requireRoomAt(provider, await store.lockActiveCount(tx, organizationId, provider));
      const id = newId('providerCredential');
      const created = await store.createCredential(tx, {
        id,
        organizationId,
        ...recordFields(asked),
        ...this.stored(secret, id),
      });
      const fields = { provider, last4: created.last4, ...auditedSettings(created) };
      await audit('provider_credential.create', id, initialFields(fields));
      await announce('credential.created', announced(created));
      return created;
    });
    return this.shownOne(made);
  }

  /**
   * Changes label, weight and rates. It makes no event: nothing happens to the secret.
   * @throws GatewayError `notFound`, or `conflict` for one that is revoked or compromised.
   */
  update(
    caller: Caller,
    id: string,
    body: z.output<typeof providerCredentialChange>,
  ): Promise<ShownCredential> {
    return this.change(caller, id, async (before, { tx, audit }) => {
      requireChangeable(before.state);
      const changes = changedFields(auditedSettings(before), body);
      await audit('provider_credential.update', id, changes, audited(before));
      return this.store.updateCredential(tx, id, recordFields(body));
    });
  }

  /** @throws GatewayError `notFound`, or `conflict` for one that is revoked or compromised. */
  rotate(caller: Caller, id: string, secret: string): Promise<ShownCredential> {
    const { store } = this;
    return this.change(caller, id, async (before, { tx, at, audit, announce }) => {
      requireRotatable(before.state);
      const after = await store.rotateCredential(tx, id, this.stored(secret, id), at);
      const { last4 } = after;
      // The rotation is visible even where the last four characters are the same.
      const changes = { secret: {}, ...changedFields({ last4: before.last4 }, { last4 }) };
      await audit('provider_credential.rotate', id, changes, audited(before));
      await announce('credential.rotated', announced(after));
      return after;
    });
  }

  /**
   * A repeated action changes nothing, and leaves neither audit entry nor event.
   * @throws GatewayError `notFound`, or `conflict` where the state forbids it.
   */
  act(caller: Caller, id: string, action: Exclude<CredentialAction, 'enable'>): Promise<ShownCredential> {
    return this.change(caller, id, async (before, mutation) => {
      const state = stateAfter(before.state, action);
      if (state === before.state) return before;
      return this.acted(action, before, await this.store.setState(mutation.tx, id, state), mutation);
    });
  }

  /**
   * Also of an active one: then it only forgets what is known of its health, and leaves neither audit entry nor event.
   * @throws GatewayError `notFound`, or `conflict` where the state forbids it, or the provider has the most active credentials.
   */
  async enable(caller: Caller, id: string): Promise<ShownCredential> {
    const { store, mutations } = this;
    const { organizationId } = caller;
    const { provider } = known(await store.findCredential(organizationId, id));
    const enabled = await mutations.run(caller, async (mutation) => {
      const { tx } = mutation;
      // The organization is locked before the credential, in the order of a credential's creation.
      const count = await store.lockActiveCount(tx, organizationId, provider);
      const before = known(await store.lockCredential(tx, organizationId, id));
      const state = stateAfter(before.state, 'enable');
      if (state === before.state) return store.enableCredential(tx, id);
      requireRoomAt(provider, count);
      return this.acted('enable', before, await store.enableCredential(tx, id), mutation);
    });
    return this.shownOne(enabled);
  }

  private async acted(
    action: CredentialAction,
    before: ProviderCredential,
    after: ProviderCredential,
    { audit, announce }: Mutation,
  ): Promise<ProviderCredential> {
    const changes = changedFields({ state: before.state }, { state: after.state });
    await audit(`provider_credential.${action}`, after.id, changes, audited(before));
    await announce(events[action], announced(after));
    return after;
  }

  private async shown(credentials: readonly ProviderCredential[]): Promise<ShownCredential[]> {
    const reported = await this.reports.healthOf(credentials);
    return credentials.map((credential, at) => ({ ...credential, ...(reported[at] as ReportedHealth) }));
  }

  private async shownOne(credential: ProviderCredential): Promise<ShownCredential> {
    const [shown] = await this.shown([credential]);
    return shown as ShownCredential;
  }

  private async change(
    caller: Caller,
    id: string,
    work: (before: ProviderCredential, mutation: Mutation) => Promise<ProviderCredential>,
  ): Promise<ShownCredential> {
    const { store, mutations } = this;
    const changed = await mutations.run(caller, async (mutation) =>
      work(known(await store.lockCredential(mutation.tx, caller.organizationId, id)), mutation),
    );
    return this.shownOne(changed);
  }

  private stored(secret: string, credentialId: string): StoredSecret {
    return {
      sealedSecret: this.sealer.sealAsBefore(Buffer.from(secret), credentialContext(credentialId)),
      last4: secret.length < SHOWN_FROM_LENGTH ? null : secret.slice(-4),
    };
  }
}

/** @throws GatewayError `conflict` where the provider has the most active credentials. */
const requireRoomAt = (provider: string, activeCount: number): void => {
  requireRoom(
    activeCount,
    CREDENTIALS_OF_PROVIDER_MAX,
    `active credentials of ${provider}`,
    'disable one first',
  );
};

/** Four characters of a shorter secret would be more than half of it. */
const SHOWN_FROM_LENGTH = 8;

const events = {
  disable: 'credential.disabled',
  enable: 'credential.enabled',
  revoke: 'credential.revoked',
  compromise: 'credential.compromised',
} as const;

const audited = ({ provider, label, last4, state, rotatedAt }: ProviderCredential) => ({
  provider,
  label,
  last4,
  state,
  rotated_at: rotatedAt?.toISOString() ?? null,
});

const announced = ({ id, provider, label, state }: ProviderCredential) => ({
  credential_id: id,
  provider,
  label,
  state,
});
