import { type OnModuleInit } from '@nestjs/common';
import { type Clock } from '@svc/kernel';
import { type SigningKeyRecord, type SigningKeyStore } from '@svc/persistence';
import { newSigningKey } from '@svc/platform/access-tokens';

/** Sees to it that there is a key to sign with: at every start, before the service listens, and on the operator's word. */
export class SigningKeyRotation implements OnModuleInit {
  constructor(
    private readonly store: SigningKeyStore,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): Promise<void> {
    return this.store.turn(this.clock.now(), newSigningKey);
  }

  list(): Promise<readonly SigningKeyRecord[]> {
    return this.store.list();
  }

  /** @returns all keys, as they are then. */
  async rotate(): Promise<readonly SigningKeyRecord[]> {
    await this.store.rotate(this.clock.now(), newSigningKey);
    return this.store.list();
  }
}
