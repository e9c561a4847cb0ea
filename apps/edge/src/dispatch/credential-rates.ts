import { GatewayError } from '@svc/kernel';
import { type BucketDemand, credentialBuckets } from '@svc/limits';
import { type RateLimiter } from '../limits/rate-limiter';
import { type PoolMember } from '../credentials/credential-pool';

/** Takes a call's demand out of a credential's own buckets (docs/credential-pools.md#rates-of-its-own). */
export class CredentialRates {
  constructor(private readonly limiter: Pick<RateLimiter, 'admit'>) {}

  /**
   * @returns why the credential is passed over: `invalidRequest` for a call that could never fit, `providerRateLimit` with the wait for
   * one that does not fit now; null for one that may be sent.
   * @throws GatewayError `overloaded` where the buckets cannot be reached
   */
  async refusalOf({ key, rateLimit }: PoolMember, demand: BucketDemand): Promise<GatewayError | null> {
    if (rateLimit === null) return null;
    try {
      const { refusal } = await this.limiter.admit(credentialBuckets(key, rateLimit), demand);
      return refusal && usedUp(refusal);
    } catch (error) {
      if (error instanceof GatewayError && error.reason === 'invalidRequest') return error;
      throw error;
    }
  }
}

const usedUp = ({ retryAfterMs }: GatewayError): GatewayError =>
  new GatewayError(
    'providerRateLimit',
    'The credentials for the provider have used up their rates. Please retry later.',
    retryAfterMs === undefined ? {} : { retryAfterMs },
  );
