import { type Catalog, type Provider } from '@svc/catalog';
import { mainCredential } from '@svc/policy';
import { credentialContext, type ProviderCredentialStore } from '@svc/policy/store';
import { type Sealer } from '@svc/runtime';
import { type FineTuningProvider } from '../rules/provider/fine-tuning-provider';
import { ProviderUnreachable } from '../rules/provider/provider-failure';

/** Where the things of an organization are: at this provider, with its own credential or the platform's. */
interface ProviderOfThing {
  readonly organizationId: string;
  /** Its name in the catalog. */
  readonly provider: string;
  readonly credentialId: string | null;
}

/** @throws ProviderUnreachable where the catalog has no such provider, or there is no credential for it. */
export type ProviderSource = (of: ProviderOfThing) => Promise<FineTuningProvider>;

/** How a provider of the catalog is reached. `secret` is null where it takes none. */
export interface ProviderAccess {
  readonly provider: Provider;
  readonly secret: string | null;
}

export type OpenProvider = (access: ProviderAccess) => Promise<FineTuningProvider>;

interface AccessParts {
  readonly catalog: () => Catalog;
  /** Where the variables are that the catalog names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly credentials: Pick<ProviderCredentialStore, 'activeFor'>;
  readonly sealer: Sealer;
}

/** Finds how the provider of something is reached. @throws ProviderUnreachable where the catalog or the credential is gone. */
export type AccessSource = (of: ProviderOfThing) => Promise<ProviderAccess>;

/** Finds the provider of a job or a model, with the credential that it was made with, or the one that replaced that. */
export const accessSource =
  ({ catalog, environment, credentials, sealer }: AccessParts): AccessSource =>
  async ({ organizationId, provider: name, credentialId }) => {
    const provider = catalog().providers.get(name);
    if (provider === undefined) throw new ProviderUnreachable(`The catalog has no provider ${name}.`);
    if (credentialId === null) return { provider, secret: platformSecret(provider, environment) };
    const active = (await credentials.activeFor(organizationId)).filter((one) => one.provider === name);
    const own = active.find(({ id }) => id === credentialId) ?? mainCredential(active);
    if (own === undefined) throw new ProviderUnreachable(`The organization has no credential for ${name}.`);
    return { provider, secret: sealer.open(own.sealedSecret, credentialContext(own.id)).toString('utf8') };
  };

export const providerSource =
  (accessOf: AccessSource, open: OpenProvider): ProviderSource =>
  async (made) =>
    open(await accessOf(made));

function platformSecret(
  { name, credentialEnv }: Provider,
  environment: AccessParts['environment'],
): string | null {
  if (credentialEnv === null) return null;
  // The first that is set: what was trained is in one account.
  const secret = credentialEnv.map(({ env }) => environment[env]).find(Boolean);
  if (!secret) throw new ProviderUnreachable(`The platform has no credential for ${name}.`);
  return secret;
}
