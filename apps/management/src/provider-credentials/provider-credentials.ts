import { type Catalog } from '@svc/inference';
import { GatewayError } from '@svc/kernel';
import {
  changedFields,
  credentialContext,
  initialFields,
  type CredentialFilter,
  type Mutation,
  type Mutations,
  type ProviderCredential,
  type ProviderCredentialStore,
  type StoredSecret,
} from '@svc/persistence';
import { type Sealer } from '@svc/platform';
import { unknownResource, type Caller, type Page, type Slice } from '@svc/platform/api';
import { requireRotatable, stateAfter, type CredentialAction } from './credential-transitions';

export interface ProviderCredentialsOptions {
  readonly store: ProviderCredentialStore;
  readonly mutations: Mutations;
  readonly sealer: Sealer;
  readonly catalog: () => Catalog;
}

export interface NewCredential {
  readonly provider: string;
  readonly label: string;
  readonly secret: string;
}

/** What an organization calls providers with on its own account. A secret goes in and never comes out. */
export class ProviderCredentials {
  constructor(private readonly options: ProviderCredentialsOptions) {}

  list({ organizationId }: Caller, page: Page, filter: CredentialFilter): Promise<Slice<ProviderCredential>> {
    return this.options.store.list(organizationId, page, filter);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId }: Caller, id: string): Promise<ProviderCredential> {
    return known(await this.options.store.find(organizationId, id));
  }

  /** @throws GatewayError `invalidRequest` for a provider that the catalog does not list. */
  create(caller: Caller, { provider, label, secret }: NewCredential): Promise<ProviderCredential> {
    const { store, mutations, catalog } = this.options;
    if (!catalog().providers.has(provider)) {
      throw new GatewayError('invalidRequest', 'The catalog lists no provider of this name.', {
        param: 'provider',
      });
    }
    const { organizationId } = caller;
    return mutations.run(caller, async ({ tx, newId, audit, announce }) => {
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
    const { store } = this.options;
    return this.change(caller, id, async (before, { tx, at, audit, announce }) => {
      requireRotatable(before.state);
      const after = await store.rotate(tx, id, this.stored(secret, id), at);
      const { last4 } = after;
      // That the secret changed is told even where its end did not.
      await audit('provider_credential.rotate', id, {
        secret: {},
        ...changedFields({ last4: before.last4 }, { last4 }),
      });
      await announce('credential.rotated', announced(after));
      return after;
    });
  }

  /**
   * Repeating what is done already changes nothing, and leaves no trace.
   * @throws GatewayError `notFound`, or `conflict` where the state forbids it.
   */
  act(caller: Caller, id: string, action: CredentialAction): Promise<ProviderCredential> {
    return this.change(caller, id, async (before, { tx, audit, announce }) => {
      const state = stateAfter(before.state, action);
      if (state === before.state) return before;
      const after = await this.options.store.setState(tx, id, state);
      await audit(`provider_credential.${action}`, id, changedFields({ state: before.state }, { state }));
      await announce(events[action], announced(after));
      return after;
    });
  }

  private change(
    caller: Caller,
    id: string,
    work: (before: ProviderCredential, mutation: Mutation) => Promise<ProviderCredential>,
  ): Promise<ProviderCredential> {
    const { store, mutations } = this.options;
    return mutations.run(caller, async (mutation) =>
      work(known(await store.lock(mutation.tx, caller.organizationId, id)), mutation),
    );
  }

  private stored(secret: string, credentialId: string): StoredSecret {
    return {
      sealedSecret: this.options.sealer.seal(Buffer.from(secret), credentialContext(credentialId)),
      last4: secret.length < SHOWN_FROM_LENGTH ? null : secret.slice(-4),
    };
  }
}

/** Of a shorter secret its last four characters would be too much. */
const SHOWN_FROM_LENGTH = 16;

const events = {
  disable: 'credential.disabled',
  enable: 'credential.enabled',
  revoke: 'credential.revoked',
  compromise: 'credential.compromised',
} as const;

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
