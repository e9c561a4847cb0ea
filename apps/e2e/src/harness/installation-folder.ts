import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The secrets that all services of an installation share, also after a restart. */
export interface InstallationSecrets {
  readonly databaseUrl: string;
  /** In base64. */
  readonly masterKey: string;
  readonly platformToken: string;
}

/** Keeps the secrets in a data folder, in the same files as the all-in-one, because specs read them too. */
export class InstallationFolder {
  constructor(private readonly path: string) {}

  /** Null when nothing is installed yet. */
  async read(): Promise<InstallationSecrets | null> {
    const [databaseUrl, masterKey, platformToken] = await Promise.all(
      FILES.map((name) => readFile(join(this.path, name), 'utf8').catch(() => undefined)),
    );
    if (databaseUrl === undefined || masterKey === undefined || platformToken === undefined) return null;
    return { databaseUrl, masterKey, platformToken };
  }

  async install(databaseUrl: string): Promise<InstallationSecrets> {
    const secrets: InstallationSecrets = {
      databaseUrl,
      masterKey: randomBytes(32).toString('base64'),
      platformToken: randomBytes(32).toString('base64url'),
    };
    await mkdir(this.path, { recursive: true });
    const contents = [secrets.databaseUrl, secrets.masterKey, secrets.platformToken];
    await Promise.all(FILES.map((name, n) => writeFile(join(this.path, name), contents[n] ?? '')));
    return secrets;
  }
}

const FILES = ['database-url', 'master-key', 'platform-token'] as const;
