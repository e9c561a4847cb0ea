import { type OnModuleInit } from '@nestjs/common';
import { type Database, whenDatabaseAnswers } from '@svc/database';
import { type Logger } from '@svc/runtime/observability';
import { newSigningKey } from '@svc/access/access-tokens';
import { type SigningKeyRecord, type SigningKeyStore } from '@svc/access/store';

/** Rotates signing keys: where due at each start, before the service listens, and when the operator asks. */
export class SigningKeyRotation implements OnModuleInit {
  constructor(
    private readonly store: SigningKeyStore,
    private readonly server: { readonly database: Database; readonly logger: Logger },
  ) {}

  onModuleInit(): Promise<void> {
    return whenDatabaseAnswers(this.server, () => this.store.rotateKeys(newSigningKey));
  }

  list(): Promise<readonly SigningKeyRecord[]> {
    return this.store.listSigningKeys();
  }

  /** @returns all keys, as they are afterwards. */
  async rotate(): Promise<readonly SigningKeyRecord[]> {
    await this.store.rotate(newSigningKey);
    return this.store.listSigningKeys();
  }
}
