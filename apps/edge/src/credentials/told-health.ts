import { type Change } from '@svc/database';
import { type CredentialHealths } from './credential-healths';

/** Takes in what other edges tell of credentials, over the change feed. */
export class ToldHealth {
  constructor(
    private readonly healths: CredentialHealths,
    private readonly edgeInstanceId: string,
  ) {}

  /** This process knows already what it told itself. */
  invalidate(change: Change): void {
    if (change.of === 'credentialHealth' && change.edgeInstanceId !== this.edgeInstanceId)
      this.healths.told(change);
  }
}
