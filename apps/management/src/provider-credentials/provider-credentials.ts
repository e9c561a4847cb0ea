import { Inject, Injectable } from '@nestjs/common';
import { requireRoom, unknownResource, type Caller } from '@svc/api';
import { type Mutation, Mutations } from '@svc/approvals/store';
import { type Catalog } from '@svc/catalog';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields } from '@svc/database';
import {
  credentialContext,
  type CredentialFilter,
  type ProviderCredential,
  ProviderCredentialStore,
  type StoredSecret,
} from '@svc/policy/store';
import { type Sealer } from '@svc/runtime';
import { CATALOG, SEALER } from '../runtime';
import { requireRotatable, stateAfter, type CredentialAction } from './credential-transitions';
import { CREDENTIALS_MAX } from './provider-credential-schema';

interface NewCredential {
  readonly provider: string;
  readonly label: string;
  readonly secret: string;
}

/** Credentials by which an organization calls providers on its own account. Their secrets are never shown. */
@Injectable()
export class ProviderCredentials {
  constructor(
    private readonly store: ProviderCredentialStore,
    private readonly mutations: Mutations,
    @Inject(SEALER) private readonly sealer: Sealer,
    @Inject(CATALOG) private readonly catalog: () => Catalog,
  ) {}

  list({ organizationId }: Caller, page: Page, filter: CredentialFilter): Promise<Slice<ProviderCredential>> {
    return this.store.list(organizationId, page, filter);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId }: Caller, id: string): Promise<ProviderCredential> {
    return known(await this.store.find(organizationId, id));
  }

  /**
   * @throws GatewayError `invalidRequest` for a provider that the catalog does not list; `conflict` above the most
   * credentials.
   */
  create(caller: Caller, { provider, label, secret }: NewCredential): Promise<ProviderCredential> {
    const { store, mutations, catalog } = this;
    if (!catalog().providers.has(provider)) {
      throw new GatewayError('invalidRequest', 'The catalog lists no provider of this name.', {
        param: 'provider',
      });
    }
    const { organizationId } = caller;
    return mutations.run(caller, async ({ tx, newId, audit, announce }) => {
      const count = await store.lockCount(tx, organizationId);
      requireRoom(count, CREDENTIALS_MAX, 'active and disabled credentials', 'revoke one first');
      const id = newId('providerCredential');
      const stored = this.stored(secret, id);
      const created = await store.create(tx, { id, organizationId, provider, label, ...stored });
      await audit('provider_credential.create', id, initialFields({ provider, label, last4: created.last4 }));
      await announce('credential.created', announced(created));
      return created;
    });
  }

  /** @throws GatewayError `notFound`, or `conflict` for one that is revoked or compromised. */
  rotate(caller: Caller, id: string, secret: string): Promise<ProviderCredential> {
    const { store } = this;
    return this.change(caller, id, async (before, { tx, at, audit, announce }) => {
      requireRotatable(before.state);
      const after = await store.rotate(tx, id, this.stored(secret, id), at);
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
  act(caller: Caller, id: string, action: CredentialAction): Promise<ProviderCredential> {
    return this.change(caller, id, async (before, { tx, audit, announce }) => {
      const state = stateAfter(before.state, action);
      if (state === before.state) return before;
      const after = await this.store.setState(tx, id, state);
      const changes = changedFields({ state: before.state }, { state });
      await audit(`provider_credential.${action}`, id, changes, audited(before));
      await announce(events[action], announced(after));
      return after;
    });
  }

  private change(
    caller: Caller,
    id: string,
    work: (before: ProviderCredential, mutation: Mutation) => Promise<ProviderCredential>,
  ): Promise<ProviderCredential> {
    const { store, mutations } = this;
    return mutations.run(caller, async (mutation) =>
      work(known(await store.lock(mutation.tx, caller.organizationId, id)), mutation),
    );
  }

  private stored(secret: string, credentialId: string): StoredSecret {
    return {
      sealedSecret: this.sealer.sealAsBefore(Buffer.from(secret), credentialContext(credentialId)),
      last4: secret.length < SHOWN_FROM_LENGTH ? null : secret.slice(-4),
    };
  }
}

/** Four characters of a shorter secret would reveal too much. */
const SHOWN_FROM_LENGTH = 16;

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

function known(credential: ProviderCredential | null): ProviderCredential {
  if (credential === null) throw unknownResource();
  return credential;
}
