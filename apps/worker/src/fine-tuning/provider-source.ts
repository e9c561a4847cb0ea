import { ProviderUnreachable, type FineTuningProvider } from '@svc/fine-tuning';
import { type Catalog, type Provider } from '@svc/inference';
import { credentialContext, type ProviderCredentialStore } from '@svc/persistence';
import { type Sealer } from '@svc/platform';
import { type ProviderSource } from './work-on-job';

/** How a provider of the catalog is reached. `secret` is null where it takes none. */
export interface ProviderAccess {
  readonly provider: Provider;
  readonly secret: string | null;
}

export type OpenProvider = (access: ProviderAccess) => Promise<FineTuningProvider>;

interface SourceParts {
  readonly catalog: () => Catalog;
  /** Where the variables are that the catalog names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly credentials: Pick<ProviderCredentialStore, 'activeFor'>;
  readonly sealer: Sealer;
  readonly open: OpenProvider;
}

/** Finds the provider of a job or a model, with the credential that it was made with, or the one that replaced that. */
export const providerSource =
  ({ catalog, environment, credentials, sealer, open }: SourceParts): ProviderSource =>
  async ({ organizationId, provider: name, credentialId }) => {
    const provider = catalog().providers.get(name);
    if (provider === undefined) throw new ProviderUnreachable(`The catalog has no provider ${name}.`);
    if (credentialId === null) return open({ provider, secret: platformSecret(provider, environment) });
    const active = await credentials.activeFor(organizationId);
    const own = active.find((one) => one.provider === name);
    if (own === undefined) throw new ProviderUnreachable(`The organization has no credential for ${name}.`);
    const secret = sealer.open(own.sealedSecret, credentialContext(own.id)).toString('utf8');
    return open({ provider, secret });
  };

function platformSecret(
  { name, credentialEnv }: Provider,
  environment: SourceParts['environment'],
): string | null {
  if (credentialEnv === null) return null;
  const secret = environment[credentialEnv];
  if (!secret) throw new ProviderUnreachable(`The platform has no credential for ${name}.`);
  return secret;
}
