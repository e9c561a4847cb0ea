import { type Loss } from '@svc/protocol';

import { type ModelEndpoint } from '../catalog/catalog';
import { type CredentialSource } from './credential-sources';

/** One attempt at one endpoint with one credential. */
export interface PlannedAttempt {
  /** With the prices of the call's betas. */
  readonly endpoint: ModelEndpoint;
  readonly credential: CredentialSource;
  /** What the endpoint does not support of the call, for the caller's warnings. */
  readonly losses: readonly Loss[];
  /** The parameters that the endpoint is not sent. */
  readonly omit: readonly string[];
}
