import { type Provider } from '@svc/inference';

type Environment = Readonly<Record<string, string | undefined>>;

/** The platform's provider credentials, which the environment holds under the names that the catalog gives. */
export class PlatformCredentials {
  constructor(private readonly environment: Environment) {}

  /** Null when the provider takes none, or none is set. */
  of({ credentialEnv }: Provider): string | null {
    return credentialEnv === null ? null : (this.environment[credentialEnv] ?? null) || null;
  }
}
