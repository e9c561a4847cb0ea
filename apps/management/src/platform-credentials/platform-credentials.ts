import { Inject, Injectable } from '@nestjs/common';
import { type Catalog } from '@svc/catalog';
import { CredentialReportStore, platformCredentialName, type ReportedHealth } from '@svc/policy/store';
import { CATALOG } from '../runtime';
import { type ShownPlatformCredential } from './platform-credential-schema';

/** The platform's provider credentials, as the catalog names them and edges report them. Whether one is set, an edge alone knows. */
@Injectable()
export class PlatformCredentials {
  constructor(
    private readonly reports: CredentialReportStore,
    @Inject(CATALOG) private readonly catalog: () => Catalog,
  ) {}

  /** In the order of the catalog. */
  async list(): Promise<readonly ShownPlatformCredential[]> {
    const named = [...this.catalog().providers.values()].flatMap(({ name: provider, credentialEnv }) =>
      (credentialEnv ?? []).map((credential) => ({ provider, ...credential })),
    );
    const reported = await this.reports.healthOf(
      named.map(({ provider, env }) => ({
        id: platformCredentialName(provider, env),
        healthEpoch: 0,
      })),
    );
    return named.map((one, at) => ({ ...one, ...(reported[at] as ReportedHealth) }));
  }
}
