import { type CryptoKey, importJWK } from 'jose';
import { type Clock } from '@svc/kernel';
import { type PublishedKeySource, SIGNING_ALGORITHM } from './signing-key';

/** A key that is published no more is believed for so long. */
const KEEP_MS = 60_000;
/** A forged key id makes us ask, but not more often. */
const ASK_AGAIN_MS = 2_000;

interface Answer {
  readonly keys: ReadonlyMap<string, CryptoKey>;
  readonly askedAtMs: number;
}

/** The published keys as last asked for. */
export class KnownKeys {
  private last: Answer | null = null;
  private asking: Promise<Answer> | null = null;

  constructor(
    private readonly source: PublishedKeySource,
    private readonly clock: Clock,
  ) {}

  /** @returns null for a key that is not published. */
  async find(kid: string): Promise<CryptoKey | null> {
    if (this.isWorthAsking(kid)) {
      this.asking ??= this.ask().finally(() => {
        this.asking = null;
      });
      this.last = await this.asking;
    }
    return this.last?.keys.get(kid) ?? null;
  }

  private isWorthAsking(kid: string): boolean {
    if (this.last === null) return true;
    const ageMs = this.clock.now() - this.last.askedAtMs;
    return ageMs >= (this.last.keys.has(kid) ? KEEP_MS : ASK_AGAIN_MS);
  }

  private async ask(): Promise<Answer> {
    const askedAtMs = this.clock.now();
    const published = await this.source.published();
    const imported = await Promise.all(
      published.map(
        async ({ kid, publicJwk }) =>
          [kid, (await importJWK(publicJwk, SIGNING_ALGORITHM)) as CryptoKey] as const,
      ),
    );
    return { keys: new Map(imported), askedAtMs };
  }
}
