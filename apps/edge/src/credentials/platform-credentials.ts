import { type Catalog, type Provider } from '@svc/catalog';

type Environment = Readonly<Record<string, string | undefined>>;

/** The platform's provider credentials, from the environment variables that the catalog names, as they are now. */
export class PlatformCredentials {
  constructor(private readonly environment: Environment) {}

  /** Null when the provider needs no credential, or none is set. */
  of({ credentialEnv }: Provider): string | null {
    return credentialEnv === null ? null : this.environment[credentialEnv] || null;
  }

  /** The names of the providers that there is one for. */
  providersIn({ providers }: Catalog): readonly string[] {
    return [...providers.values()].filter((provider) => this.of(provider) !== null).map(({ name }) => name);
  }
}
