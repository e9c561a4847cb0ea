import { apiKeyHashText, apiKeySecretIn, type CredentialHeaders, type Permission } from '@svc/access';
import { type ApiKeyRecord, type RefusedKey } from '@svc/access/store';
import { bucketsFor } from '@svc/limits';
import { type Clock, GatewayError, isAddressListed } from '@svc/kernel';
import { type Change } from '@svc/database';
import { type ReadClientAddress, type RequestOrigin } from '@svc/http';
import { type RefusedCaller } from '@svc/usage/work';
import { LookupCache } from '../changes/lookup-cache';
import { type Caller } from '../call/caller';

const RECORDS_MAX = 100_000;
const INVOKE: Permission = 'inference:invoke';
/** How long every call is checked early after an unknown key. */
const CHECK_EARLY_MS = 10_000;

/** By the key's SHA-256 in base64. */
type FindKey = (hash: string) => Promise<ApiKeyRecord | null>;

/** Observers of calls, beside their answers. */
export interface AuthenticationWatch {
  /** Called with the id of each key that is authenticated. */
  noteKeyUse(keyId: string): void;
  /** Throws for a call with an access token in place of a key. */
  refuseAccessToken(headers: CredentialHeaders): Promise<void>;
  /** Called with each refusal of a key that exists, but for those by its address. */
  noteRefusal(key: RefusedCaller, refusal: GatewayError): void;
  /** Called with each live key that is shown from an address that it does not allow. */
  noteAddressRefusal(key: RefusedKey, address: string): void;
}

const NOBODY: AuthenticationWatch = {
  noteKeyUse: () => undefined,
  refuseAccessToken: () => Promise.resolve(),
  noteRefusal: () => undefined,
  noteAddressRefusal: () => undefined,
};

/**
 * Authenticates callers by API key. Records and unknown keys are cached, and concurrent lookups are coalesced: a flood of
 * bad keys costs the database one query a key.
 */
export class Authenticator {
  /** By the key's SHA-256 in base64. */
  private readonly records = new LookupCache<ApiKeyRecord | null>(RECORDS_MAX);
  private checkEarlyUntilMs = 0;
  /** Made once, because a flood of unknown keys would make many. */
  private readonly unknownKey = invalidApiKey();

  constructor(
    private readonly findKey: FindKey,
    private readonly clock: Clock,
    private readonly readAddress: ReadClientAddress,
    private readonly watch: AuthenticationWatch = NOBODY,
  ) {}

  /**
   * @throws GatewayError `invalidApiKey`, worded alike for a key that is missing, malformed, unknown, expired, revoked, or
   * shown from an address that it does not allow;
   * `permissionDenied` for a key that may not invoke inference; or the refusal of an access token.
   */
  async authenticate(headers: CredentialHeaders, origin: RequestOrigin): Promise<Caller> {
    const secret = apiKeySecretIn(headers);
    if (secret === null) await this.watch.refuseAccessToken(headers);
    else if (headers.authorization !== undefined && headers['x-api-key'] !== undefined) {
      await this.refuseSecondCredential(headers);
    }
    const record = secret === null ? null : await this.recordOf(secret);
    if (record === null) throw this.unknownKeyError();
    if (record.allowedAddresses !== null) this.requireAddress(record, origin);
    const refusal = this.refusalOf(record);
    if (refusal !== null) {
      const { organizationId, projectId, id: apiKeyId } = record;
      this.watch.noteRefusal({ organizationId, projectId, apiKeyId }, refusal);
      throw refusal;
    }
    this.watch.noteKeyUse(record.id);
    return callerOf(record);
  }

  /** Refuses a key beside an access token of ours, because nobody can tell whose call it is. A token of others does not count. */
  private async refuseSecondCredential(headers: CredentialHeaders): Promise<void> {
    try {
      await this.watch.refuseAccessToken(headers);
    } catch (thrown) {
      const { reason } = GatewayError.from(thrown);
      if (reason === 'invalidToken') return;
      throw reason === 'insufficientScope' || reason === 'tokenRevoked' ? this.unknownKeyError() : thrown;
    }
  }

  /**
   * Refuses an unknown key before any other work is done; null for every other key, and when the lookup fails. Costs
   * nothing while no unknown keys come.
   */
  earlyRefusal(headers: CredentialHeaders): GatewayError | null | Promise<GatewayError | null> {
    if (this.clock.now() >= this.checkEarlyUntilMs) return null;
    const secret = apiKeySecretIn(headers);
    if (secret === null) return null;
    const record = this.recordOf(secret);
    return record instanceof Promise
      ? record.then(this.refusalOfUnknown, () => null)
      : this.refusalOfUnknown(record);
  }

  /**
   * A record also holds its organization's state and ceilings. Operators seldom change those, so looking up every key
   * again costs less than an index by organization.
   */
  invalidate(change: Change): void {
    if (change.of === 'anything' || change.of === 'organization') this.records.invalidateAll();
    else if (change.of === 'apiKey') this.records.invalidate(change.keySha256);
  }

  private readonly refusalOfUnknown = (record: ApiKeyRecord | null): GatewayError | null =>
    record === null ? this.unknownKeyError() : null;

  private unknownKeyError(): GatewayError {
    this.checkEarlyUntilMs = this.clock.now() + CHECK_EARLY_MS;
    return this.unknownKey;
  }

  private recordOf(secret: string): ApiKeyRecord | null | Promise<ApiKeyRecord | null> {
    const hash = apiKeyHashText(secret);
    return this.records.get(hash, () => this.findKey(hash));
  }

  /** A dead key is refused as dead, wherever it is shown: that is no news to its owner. */
  private requireAddress(record: ApiKeyRecord, origin: RequestOrigin): void {
    const { allowedAddresses } = record;
    if (allowedAddresses === null || !this.isAlive(record)) return;
    const address = this.readAddress(origin);
    if (isAddressListed(allowedAddresses, address)) return;
    this.watch.noteAddressRefusal(record, address);
    throw invalidApiKey();
  }

  private refusalOf(record: ApiKeyRecord): GatewayError | null {
    if (!this.isAlive(record)) return invalidApiKey();
    if (record.scopes.includes(INVOKE)) return null;
    return new GatewayError('permissionDenied', `This API key lacks the permission ${INVOKE}.`);
  }

  private isAlive(record: ApiKeyRecord): boolean {
    return (
      record.state === 'active' &&
      record.organizationState === 'active' &&
      (record.expiresAt === null || record.expiresAt.getTime() > this.clock.now())
    );
  }
}

const invalidApiKey = (): GatewayError =>
  new GatewayError('invalidApiKey', 'The API key is missing or not valid.');

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
