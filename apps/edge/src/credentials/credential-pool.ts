import { type EnvCredential } from '@svc/catalog';
import { type CredentialChoice, mainCredential, type OrderedCredential } from '@svc/policy';
import { type RateLimit } from '@svc/limits';
import { type CallCredential } from './call-credential';

/** A credential that calls are sent with. Reports and its own buckets name it by its key. */
export interface PoolMember extends OrderedCredential, CallCredential {
  /** The provider's name. */
  readonly provider: string;
  /** Grows when what is known of its health is to be forgotten. */
  readonly healthEpoch: number;
  /** See {@link healthKey}. */
  readonly healthKey: string;
  /** Null for no limit of its own. */
  readonly rateLimit: RateLimit | null;
}

/** The name of a credential's health in this process: with another epoch it is another one's. */
export const healthKey = (key: string, healthEpoch: number): string => `${key}:${String(healthEpoch)}`;

/** The member of a pool with these settings, wherever they are kept. */
export function poolMember(
  named: Pick<PoolMember, 'id' | 'secret' | 'provider' | 'key' | 'healthEpoch'>,
  { weight, rateLimitRpm: rpm, rateLimitTpm: tpm }: Omit<EnvCredential, 'env'>,
): PoolMember {
  return {
    ...named,
    weight,
    healthKey: healthKey(named.key, named.healthEpoch),
    rateLimit: rpm === null && tpm === null ? null : { rpm, tpm },
  };
}

/** The credentials of one owner for one provider. */
export class CredentialPool {
  /** The choice of a call where nothing rests and nothing is to choose. */
  readonly whole: CredentialChoice<PoolMember>;

  /** @param members the newest first, or in the order of the catalog */
  constructor(readonly members: readonly [PoolMember, ...PoolMember[]]) {
    this.whole = { tried: members, resting: [] };
  }

  /** The one for what keeps to a credential. */
  get main(): PoolMember {
    return mainCredential(this.members) ?? this.members[0];
  }

  /** The one of that key; undefined for one that left. */
  withKey(key: string): PoolMember | undefined {
    return this.members.find((member) => member.key === key);
  }
}

/** The pool of these credentials; undefined for none. */
export function poolOf([first, ...others]: readonly PoolMember[]): CredentialPool | undefined {
  return first && new CredentialPool([first, ...others]);
}
