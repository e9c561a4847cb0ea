import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, appendFile, constants, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { formatSecret, SECRET_ENTROPY_BYTES, secretHash } from '@svc/access';
import { ConfigError } from '@svc/runtime/config';

const OWNER_ONLY = 0o600;
const PLATFORM_TOKEN_HASH = 'platform-token.sha256';
const DATABASE_URL = 'database-url';

/** The secrets that an installation generates, kept in its data directory. */
export class DataDir {
  readonly path: string;
  /** The secrets that the first start generated, as a shell reads them. */
  readonly firstSecretsFile: string;
  /** The full log, where a terminal shows short lines. */
  readonly logFile: string;

  constructor(path: string) {
    this.path = resolve(path);
    this.firstSecretsFile = join(this.path, 'first-start-secrets.env');
    this.logFile = join(this.path, 'svc.log');
  }

  /** @throws ConfigError in one line when the directory is not writable. */
  async prepare(): Promise<void> {
    try {
      await mkdir(this.path, { recursive: true });
      await access(this.path, constants.W_OK | constants.X_OK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new ConfigError(
        `SVC_DATA_DIR: ${this.path} cannot be written to (${String(code)}): ` +
          'let this user write there, or set another folder',
      );
    }
  }

  /**
   * Appends secrets that are stored nowhere else in the clear. The secrets of an earlier first start stay, although a
   * database that was recreated meanwhile does not have them.
   */
  async noteFirstSecrets(secrets: Readonly<Record<string, string>>, at: Date): Promise<void> {
    const lines = Object.entries(secrets).map(([name, value]) => `export ${name}=${shellQuoted(value)}\n`);
    const title = `# Made up by the first start, ${at.toISOString()}. Store it elsewhere, then delete this file.\n`;
    await appendFile(this.firstSecretsFile, title + lines.join(''), { mode: OWNER_ONLY });
  }

  get hasFirstSecrets(): boolean {
    return existsSync(this.firstSecretsFile);
  }

  /** The key that encrypts secrets at rest. */
  async masterKey(): Promise<Buffer> {
    return Buffer.from(await this.kept('master-key', () => randomBytes(32).toString('base64')), 'base64');
  }

  /** The bearer token for `/metrics`, in a file of its own: Prometheus reads it there (`credentials_file`). */
  metricsToken(): Promise<string> {
    return this.kept('metrics-token', () => formatSecret('metrics', randomBytes(SECRET_ENTROPY_BYTES)));
  }

  /** The operator's token, on the start that generates it; null on later starts, which have only its hash. */
  async newPlatformToken(): Promise<string | null> {
    if (existsSync(join(this.path, PLATFORM_TOKEN_HASH))) return null;
    const secret = formatSecret('platform', randomBytes(SECRET_ENTROPY_BYTES));
    await this.writeOnce(PLATFORM_TOKEN_HASH, secretHash(secret).toString('hex'));
    return secret;
  }

  /** The SHA-256 by which that token is recognized. */
  async platformTokenSha256(): Promise<Buffer> {
    return Buffer.from(await readFile(join(this.path, PLATFORM_TOKEN_HASH), 'utf8'), 'hex');
  }

  /** For `psql "$(cat .svc/database-url)"`: the embedded server's port changes with every start. */
  async noteDatabaseUrl(url: string): Promise<void> {
    await writeFile(join(this.path, DATABASE_URL), url, { mode: OWNER_ONLY });
  }

  /** The URL that {@link noteDatabaseUrl} wrote last; null where it never did. */
  async notedDatabaseUrl(): Promise<string | null> {
    const file = join(this.path, DATABASE_URL);
    return existsSync(file) ? readFile(file, 'utf8') : null;
  }

  /** The first start makes it, and later starts read it. */
  private async kept(name: string, make: () => string): Promise<string> {
    const file = join(this.path, name);
    if (!existsSync(file)) await this.writeOnce(name, make());
    return readFile(file, 'utf8');
  }

  private async writeOnce(name: string, content: string): Promise<void> {
    await writeFile(join(this.path, name), content, { mode: OWNER_ONLY, flag: 'wx' });
  }
}

const shellQuoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;
