import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const OWNER_ONLY = 0o600;

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
    if (existsSync(join(this.path, 'platform-token.sha256'))) return null;
    const secret = `svc_pt_${randomBytes(32).toString('base64url')}`;
    await this.writeOnce('platform-token.sha256', createHash('sha256').update(secret).digest('hex'));
    return secret;
  }

  /** For `psql "$(cat .svc/database-url)"`: the embedded server's port changes with every start. */
  async noteDatabaseUrl(url: string): Promise<void> {
    await writeFile(join(this.path, 'database-url'), url, { mode: OWNER_ONLY });
  }

  private async writeOnce(name: string, content: string): Promise<void> {
    await writeFile(join(this.path, name), content, { mode: OWNER_ONLY, flag: 'wx' });
  }
}
