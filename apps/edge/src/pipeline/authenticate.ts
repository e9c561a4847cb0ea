import { LRUCache } from 'lru-cache';
import { apiKeyHash, apiKeySecretIn, type CredentialHeaders, type Permission } from '@svc/identity';
import { bucketsFor } from '@svc/inference';
import { type Clock, GatewayError } from '@svc/kernel';
import { type ApiKeyRecord } from '@svc/persistence';
import { type Caller } from './caller';

/** How long a key's record may be believed: under the 30 s that interface.md promises for changes. */
const RECORD_AGE_MAX_MS = 10_000;
const RECORDS_MAX = 100_000;
const INVOKE: Permission = 'inference:invoke';

type FindKey = (hash: Buffer) => Promise<ApiKeyRecord | null>;

/**
 * Answers who holds an API key. Records, and the absence of one, are cached, and a key is looked up once however
 * many calls ask at the same time: a flood of bad keys costs the database one query a key.
 */
export class Authenticator {
  private readonly records: LRUCache<string, { readonly record: ApiKeyRecord | null }>;

  constructor(
    findKey: FindKey,
    private readonly clock: Clock,
  ) {
    this.records = new LRUCache({
      max: RECORDS_MAX,
      ttl: RECORD_AGE_MAX_MS,
      fetchMethod: async (hash) => ({ record: await findKey(Buffer.from(hash, 'base64')) }),
    });
  }

  /**
   * @throws GatewayError `invalidApiKey`, worded alike for a key that is missing, malformed, unknown, expired or revoked;
   * `permissionDenied` for a key that may not invoke inference.
   */
  async authenticate(headers: CredentialHeaders): Promise<Caller> {
    const secret = apiKeySecretIn(headers);
    const found = secret === null ? null : await this.records.fetch(apiKeyHash(secret).toString('base64'));
    const record = found?.record;
    if (!record || !this.isAlive(record)) {
      throw new GatewayError('invalidApiKey', 'The API key is missing or not valid.');
    }
    if (!record.scopes.includes(INVOKE)) {
      throw new GatewayError('permissionDenied', `This API key lacks the permission ${INVOKE}.`);
    }
    return callerOf(record);
  }

  private isAlive(record: ApiKeyRecord): boolean {
    return (
      record.state === 'active' &&
      record.organizationState === 'active' &&
      (record.expiresAt === null || record.expiresAt.getTime() > this.clock.now())
    );
  }
}

function callerOf(record: ApiKeyRecord): Caller {
  return {
    apiKeyId: record.id,
    organizationId: record.organizationId,
    projectId: record.projectId,
    buckets: bucketsFor(
      { rpm: record.rateLimitRpm, tpm: record.rateLimitTpm },
      { rpm: record.organizationRpm, tpm: record.organizationTpm },
    ),
  };
}
