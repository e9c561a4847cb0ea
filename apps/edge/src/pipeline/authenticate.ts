import { apiKeyHashText, apiKeySecretIn, type CredentialHeaders, type Permission } from '@svc/identity';
import { bucketsFor } from '@svc/inference';
import { type Clock, GatewayError } from '@svc/kernel';
import { type ApiKeyRecord, type Change } from '@svc/persistence';
import { BelievedAnswers } from '../changes/believed-answers';
import { type Caller } from './caller';

const RECORDS_MAX = 100_000;
const INVOKE: Permission = 'inference:invoke';
/** After a key that nobody has, the next calls are looked at for more of the kind. */
const WARY_MS = 10_000;

/** By the key's SHA-256 in base64. */
type FindKey = (hash: string) => Promise<ApiKeyRecord | null>;

/**
 * Answers who holds an API key. Records, and the absence of one, are cached, and a key is looked up once however
 * many calls ask at the same time: a flood of bad keys costs the database one query a key.
 */
export class Authenticator {
  /** By the key's SHA-256 in base64. */
  private readonly records = new BelievedAnswers<ApiKeyRecord | null>(RECORDS_MAX);
  private waryUntilMs = 0;
  /** One for all of a flood. */
  private readonly nobodys = invalidApiKey();

  constructor(
    private readonly findKey: FindKey,
    private readonly clock: Clock,
    /** Is told the id of each key that is let in. */
    private readonly noteKeyUse: (keyId: string) => void = () => undefined,
    /** Throws for a call by access token, which is no key. */
    private readonly refuseAccessToken: (headers: CredentialHeaders) => Promise<void> = async () => undefined,
  ) {}

  /**
   * @throws GatewayError `invalidApiKey`, worded alike for a key that is missing, malformed, unknown, expired or revoked;
   * `permissionDenied` for a key that may not invoke inference; whatever an access token is refused with.
   */
  async authenticate(headers: CredentialHeaders): Promise<Caller> {
    const secret = apiKeySecretIn(headers);
    if (secret === null) await this.refuseAccessToken(headers);
    const record = secret === null ? null : await this.recordOf(secret);
    if (record === null) throw this.nobodysRefusal();
    if (!this.isAlive(record)) throw invalidApiKey();
    if (!record.scopes.includes(INVOKE)) {
      throw new GatewayError('permissionDenied', `This API key lacks the permission ${INVOKE}.`);
    }
    this.noteKeyUse(record.id);
    return callerOf(record);
  }

  /**
   * The refusal of a key that is nobody's, for a caller who wants to do nothing before; null for every other, and for one
   * that cannot be looked up. While no such key comes it costs nothing.
   */
  earlyRefusal(headers: CredentialHeaders): GatewayError | null | Promise<GatewayError | null> {
    if (this.clock.now() >= this.waryUntilMs) return null;
    const secret = apiKeySecretIn(headers);
    if (secret === null) return null;
    const record = this.recordOf(secret);
    return record instanceof Promise
      ? record.then(this.refusalOfNobody, () => null)
      : this.refusalOfNobody(record);
  }

  /**
   * A record holds its organization's state and ceilings too. Operators seldom change those: to look every key up once
   * more costs less than to find the organization's own among them.
   */
  forget(change: Change): void {
    if (change.of === 'anything' || change.of === 'organization') this.records.forgetAll();
    else if (change.of === 'apiKey') this.records.forget(change.keySha256);
  }

  private readonly refusalOfNobody = (record: ApiKeyRecord | null): GatewayError | null =>
    record === null ? this.nobodysRefusal() : null;

  private nobodysRefusal(): GatewayError {
    this.waryUntilMs = this.clock.now() + WARY_MS;
    return this.nobodys;
  }

  private recordOf(secret: string): ApiKeyRecord | null | Promise<ApiKeyRecord | null> {
    const hash = apiKeyHashText(secret);
    return this.records.of(hash, () => this.findKey(hash));
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
