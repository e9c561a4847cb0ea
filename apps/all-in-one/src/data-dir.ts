import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { formatSecret, SECRET_ENTROPY_BYTES, secretHash } from '@svc/identity';

const OWNER_ONLY = 0o600;
const PLATFORM_TOKEN_HASH = 'platform-token.sha256';

/** Secrets that an installation makes for itself, kept in its data directory. */
export class DataDir {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
  }

  async prepare(): Promise<void> {
    await mkdir(this.path, { recursive: true });
  }

  /** The key that encrypts secrets at rest: made once, found again by every later start. */
  async masterKey(): Promise<Buffer> {
    const file = join(this.path, 'master-key');
    if (!existsSync(file)) await this.writeOnce('master-key', randomBytes(32).toString('base64'));
    return Buffer.from(await readFile(file, 'utf8'), 'base64');
  }

  /** The operator's token, on the start that makes it; later starts know only its hash and answer null. */
  async newPlatformToken(): Promise<string | null> {
    if (existsSync(join(this.path, PLATFORM_TOKEN_HASH))) return null;
    const secret = formatSecret('platform', randomBytes(SECRET_ENTROPY_BYTES));
    await this.writeOnce(PLATFORM_TOKEN_HASH, secretHash(secret).toString('hex'));
    return secret;
  }

  /** SHA-256 of that token, by which it is known again. */
  async platformTokenSha256(): Promise<Buffer> {
    return Buffer.from(await readFile(join(this.path, PLATFORM_TOKEN_HASH), 'utf8'), 'hex');
  }

  /** For `psql "$(cat .svc/database-url)"`: the embedded server's port changes with every start. */
  async noteDatabaseUrl(url: string): Promise<void> {
    await writeFile(join(this.path, 'database-url'), url, { mode: OWNER_ONLY });
  }

  private async writeOnce(name: string, content: string): Promise<void> {
    await writeFile(join(this.path, name), content, { mode: OWNER_ONLY, flag: 'wx' });
  }
}
