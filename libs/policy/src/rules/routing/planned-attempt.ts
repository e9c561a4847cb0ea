import { type ModelEndpoint } from '@svc/catalog';
import { type OrderedCredential } from '../credentials/credential-order';
import { type CredentialSource } from './credential-sources';
import { type LeftOut } from './left-out';

/** One attempt at one endpoint with one credential. */
export interface PlannedAttempt extends LeftOut {
  /** With the prices of the call's betas. */
  readonly endpoint: ModelEndpoint;
  readonly credential: CredentialSource;
  /** Which one of that owner. Absent where the provider takes none, and in a plan of which nothing is sent. */
  readonly pooled?: OrderedCredential;
  /** `pinned`: the conversation was answered here last. `beside`: another credential at that endpoint. Absent for all others. */
  readonly affinity?: 'pinned' | 'beside';
  /** True where it is sent although its credential rests, because all are refused. */
  readonly isForced?: true;
  /** The reason for its place, beside the rankings. */
  readonly placedBy?: 'rollout';
}
