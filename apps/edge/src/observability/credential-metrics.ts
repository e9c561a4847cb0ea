import { type Catalog } from '@svc/catalog';
import { platformCredentialName } from '@svc/policy/store';
import { Gauge, type Registry } from '@svc/runtime/observability';
import { type CredentialHealths } from '../credentials/credential-healths';
import { type PlatformCredentials } from '../credentials/platform-credentials';

interface WatchedCredentials {
  readonly catalog: { current(): Catalog };
  readonly platform: PlatformCredentials;
  readonly healths: CredentialHealths;
}

/** The health of the platform's credentials in this process, read at each scrape. Those of organizations would be too many series. */
export function watchCredentials(
  registry: Registry,
  { catalog, platform, healths }: WatchedCredentials,
): void {
  new Gauge({
    name: 'svc_provider_credential_health',
    help: 'The platform’s provider credentials: 1 for the health that each has now.',
    labelNames: ['provider', 'credential', 'health'],
    registers: [registry],
    collect() {
      this.reset();
      for (const provider of catalog.current().providers.values()) {
        const pool = platform.of(provider);
        for (const { env } of provider.credentialEnv ?? []) {
          const member = pool?.withKey(platformCredentialName(provider.name, env));
          if (member === undefined) continue;
          const { name: health } = healths.summaryOf(member);
          this.set({ provider: provider.name, credential: env, health }, 1);
        }
      }
    },
  });
}
