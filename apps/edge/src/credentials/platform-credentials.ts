import { type Catalog, type EnvCredential, type Provider } from '@svc/catalog';
import { platformCredentialName } from '@svc/policy/store';
import { type CredentialPool, poolMember, poolOf, type PoolMember } from './credential-pool';

type Environment = Readonly<Record<string, string | undefined>>;

/** The secrets of a provider's variables when they were last read. */
interface SeenPool {
  /** In the order of the catalog; empty for one that is not set. */
  readonly secrets: readonly string[];
  readonly pool: CredentialPool | null;
}

/** The platform's provider credentials, from the environment variables that the catalog names, as they are now. */
export class PlatformCredentials {
  private readonly seen = new WeakMap<Provider, SeenPool>();
  /** By the credential's key, as it was last read. A new catalog has new providers, and may have the same credentials. */
  private readonly secrets = new Map<string, string>();

  /** @param onReplaced is called for a credential that has another secret than when it was last asked for */
  constructor(
    private readonly environment: Environment,
    private readonly onReplaced: (member: PoolMember) => void = () => undefined,
  ) {}

  /** Null when the provider needs no credential, or none is set. */
  of(provider: Provider): CredentialPool | null {
    const { credentialEnv } = provider;
    if (credentialEnv === null) return null;
    const before = this.seen.get(provider);
    if (before !== undefined && this.areStill(before.secrets, credentialEnv)) return before.pool;
    const secrets = credentialEnv.map((named) => this.secretOf(named));
    const members = credentialEnv.flatMap((named, at) => {
      const secret = secrets[at] ?? '';
      return secret === '' ? [] : [memberOf(named, secret, provider.name)];
    });
    for (const member of members) this.noteSecret(member);
    const pool = poolOf(members) ?? null;
    this.seen.set(provider, { secrets, pool });
    return pool;
  }

  /** The names of the providers that there is one for. */
  providersIn({ providers }: Catalog): readonly string[] {
    return [...providers.values()].filter((provider) => this.of(provider) !== null).map(({ name }) => name);
  }

  /** Asked several times a call, so that it makes no function. */
  private areStill(secrets: readonly string[], credentialEnv: readonly EnvCredential[]): boolean {
    let at = 0;
    for (const named of credentialEnv) if (this.secretOf(named) !== secrets[at++]) return false;
    return true;
  }

  private noteSecret(member: PoolMember): void {
    const { key, secret } = member;
    const before = this.secrets.get(key);
    this.secrets.set(key, secret ?? '');
    if (before !== undefined && before !== secret) this.onReplaced(member);
  }

  private secretOf({ env }: EnvCredential): string {
    return this.environment[env] ?? '';
  }
}

const memberOf = (named: EnvCredential, secret: string, provider: string): PoolMember =>
  poolMember(
    { id: null, secret, provider, key: platformCredentialName(provider, named.env), healthEpoch: 0 },
    named,
  );
