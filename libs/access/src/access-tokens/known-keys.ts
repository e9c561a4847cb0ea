import { type CryptoKey, importJWK } from 'jose';
import { type Clock } from '@svc/kernel';
import { type PublishedKeySource, SIGNING_ALGORITHM } from './signing-key';

/** TTL of the cached keys. A withdrawn key is accepted for this long. */
const CACHE_TTL_MS = 60_000;
/** The shortest time between two fetches for unknown key ids, which may be forged. */
const REFETCH_MIN_MS = 2_000;

interface CachedKeys {
  readonly keys: ReadonlyMap<string, CryptoKey>;
  readonly fetchedAtMs: number;
}

/** A cache of the published keys. */
export class KnownKeys {
  private cached: CachedKeys | null = null;
  private fetching: Promise<CachedKeys> | null = null;

  constructor(
    private readonly source: PublishedKeySource,
    private readonly clock: Clock,
  ) {}

  /** @returns null for a key that is not published. */
  async find(kid: string): Promise<CryptoKey | null> {
    if (this.isStale(kid)) {
      this.fetching ??= this.fetchKeys().finally(() => {
        this.fetching = null;
      });
      this.cached = await this.fetching;
    }
    return this.cached?.keys.get(kid) ?? null;
  }

  private isStale(kid: string): boolean {
    if (this.cached === null) return true;
    const ageMs = this.clock.now() - this.cached.fetchedAtMs;
    // The clock was set back, so the cache's age is unknown.
    if (ageMs < 0) return true;
    return ageMs >= (this.cached.keys.has(kid) ? CACHE_TTL_MS : REFETCH_MIN_MS);
  }

  private async fetchKeys(): Promise<CachedKeys> {
    const fetchedAtMs = this.clock.now();
    const published = await this.source.published();
    const imported = await Promise.all(
      published.map(
        async ({ kid, publicJwk }) =>
          [kid, (await importJWK(publicJwk, SIGNING_ALGORITHM)) as CryptoKey] as const,
      ),
    );
    return { keys: new Map(imported), fetchedAtMs };
  }
}
