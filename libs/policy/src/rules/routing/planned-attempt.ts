import { type ModelEndpoint } from '@svc/catalog';
import { type CredentialSource } from './credential-sources';
import { type LeftOut } from './left-out';

/** One attempt at one endpoint with one credential. */
export interface PlannedAttempt extends LeftOut {
  /** With the prices of the call's betas. */
  readonly endpoint: ModelEndpoint;
  readonly credential: CredentialSource;
}
