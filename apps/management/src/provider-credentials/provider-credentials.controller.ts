import { Act, ActWith, Change, Create, Get, List, Resource, type Call } from '@svc/api';
import { CredentialReportStore, ProviderCredentialStore } from '@svc/policy/store';
import { type Collection } from '../collection';
import {
  credentialFilters,
  CREDENTIALS_MAX,
  CREDENTIALS_OF_PROVIDER_MAX,
  newProviderCredential,
  newSecret,
  presentProviderCredential,
  providerCredential,
  providerCredentialChange,
} from './provider-credential-schema';
import { ProviderCredentials } from './provider-credentials';

const ids = { credential_id: 'providerCredential' } as const;
type OfOne = Call<{ ids: 'credential_id' }>;

const acting = { ids, errors: ['conflict'], answer: providerCredential } as const;

@Resource({
  path: 'provider-credentials',
  one: 'ProviderCredential',
  many: 'ProviderCredentials',
  tag: 'Provider credentials',
  description:
    'Secrets for calling providers on the organization’s own account. The active ones of a provider share its calls by their weights.',
})
class ProviderCredentialsController {
  constructor(private readonly credentials: ProviderCredentials) {}

  @List('', {
    summary: 'The provider credentials, newest first.',
    permission: 'credential:read',
    scope: null,
    cursor: 'providerCredential',
    query: credentialFilters,
    item: providerCredential,
  })
  async list({ caller, page, query }: Call<{ query: typeof credentialFilters }>) {
    const { items, hasMore } = await this.credentials.list(caller, page, query);
    return { items: items.map(presentProviderCredential), hasMore };
  }

  @Get(':credential_id', {
    summary: 'One provider credential.',
    permission: 'credential:read',
    scope: null,
    ids,
    answer: providerCredential,
  })
  async get({ caller, ids }: OfOne) {
    return presentProviderCredential(await this.credentials.get(caller, ids.credential_id));
  }

  @Create('', {
    summary: 'Stores a credential for a provider of the catalog.',
    description:
      `An organization has at most ${String(CREDENTIALS_MAX)} credentials that are active or disabled, and ` +
      `${String(CREDENTIALS_OF_PROVIDER_MAX)} active ones of a provider.`,
    permission: 'credential:write',
    scope: null,
    approval: 'provider_credential.create',
    errors: ['conflict'],
    body: newProviderCredential,
    answer: providerCredential,
  })
  async create({ caller, body }: Call<{ body: typeof newProviderCredential }>) {
    return presentProviderCredential(await this.credentials.create(caller, body));
  }

  @Change(':credential_id', {
    summary: 'Changes label, weight or rates of an active or disabled credential.',
    permission: 'credential:write',
    scope: null,
    approval: 'provider_credential.update',
    errors: ['conflict'],
    ids,
    body: providerCredentialChange,
    answer: providerCredential,
  })
  async change({ caller, ids, body }: Call<{ ids: 'credential_id'; body: typeof providerCredentialChange }>) {
    return presentProviderCredential(await this.credentials.update(caller, ids.credential_id, body));
  }

  @ActWith(':credential_id/rotate', {
    summary: 'Replaces the secret of an active or disabled credential.',
    permission: 'credential:write',
    scope: null,
    approval: 'provider_credential.rotate',
    ...acting,
    body: newSecret,
  })
  async rotate({ caller, ids, body }: Call<{ ids: 'credential_id'; body: typeof newSecret }>) {
    return presentProviderCredential(await this.credentials.rotate(caller, ids.credential_id, body.secret));
  }

  @Act(':credential_id/disable', {
    summary: 'Disables an active credential.',
    permission: 'credential:write',
    scope: null,
    ...acting,
  })
  async disable({ caller, ids }: OfOne) {
    return presentProviderCredential(await this.credentials.act(caller, ids.credential_id, 'disable'));
  }

  @Act(':credential_id/enable', {
    summary: 'Enables a disabled credential.',
    description:
      'What is known of its health is forgotten, also where it was active: calls may be sent with it at once.',
    permission: 'credential:write',
    scope: null,
    approval: 'provider_credential.enable',
    ...acting,
  })
  async enable({ caller, ids }: OfOne) {
    return presentProviderCredential(await this.credentials.enable(caller, ids.credential_id));
  }

  @Act(':credential_id/revoke', {
    summary: 'Revokes a credential for good.',
    permission: 'credential:write',
    scope: null,
    ...acting,
  })
  async revoke({ caller, ids }: OfOne) {
    return presentProviderCredential(await this.credentials.act(caller, ids.credential_id, 'revoke'));
  }

  @Act(':credential_id/compromised', {
    summary: 'Marks a credential as compromised. It is never used again.',
    permission: 'credential:write',
    scope: null,
    ...acting,
    operation: 'markProviderCredentialCompromised',
  })
  async markCompromised({ caller, ids }: OfOne) {
    return presentProviderCredential(await this.credentials.act(caller, ids.credential_id, 'compromise'));
  }
}

export const providerCredentials: Collection = {
  controllers: [ProviderCredentialsController],
  services: [ProviderCredentials],
  stores: [CredentialReportStore, ProviderCredentialStore],
};
