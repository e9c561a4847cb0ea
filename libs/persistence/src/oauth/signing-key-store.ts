import { lifetimesMs } from '@svc/identity';
import { type Sealer } from '@svc/platform';
import {
  type PublicJwk,
  type PublishedKey,
  type PublishedKeySource,
  type SigningKey,
  type SigningKeySource,
} from '@svc/platform/access-tokens';
import { type Database } from '../database/database';
import { prismaOf, type Transaction, UnitOfWork } from '../database/unit-of-work';

/** Key of the advisory lock under which one process at a time turns the keys. */
const TURN_LOCK = 7_310_004;
/** Longer than a signer goes on with the key that it holds, and a verifier with those that it knows. */
const MARGIN_MS = 600_000;

/** What a key's private half is sealed with beside the master key. */
export const signingKeyContext = (kid: string): string => `signing_keys/${kid}`;

/** A key without its private half, as operators see it. */
export interface SigningKeyRecord {
  readonly kid: string;
  readonly algorithm: string;
  readonly state: 'next' | 'active' | 'retired';
  readonly createdAt: Date;
  readonly retiredAt: Date | null;
}

/**
 * The keys of access tokens. The next one is published a whole period before it signs, so that everybody knows it by
 * then; a retired one stays published until the last token that it signed has expired.
 */
export class SigningKeyStore implements SigningKeySource, PublishedKeySource {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
  ) {}

  /** @throws Error before the first {@link turn}. */
  async active(): Promise<SigningKey> {
    const { kid, algorithm, publicJwk, privateKeyCiphertext } =
      await this.database.prisma.signingKey.findFirstOrThrow({ where: { state: 'active' } });
    const privateJwk = JSON.parse(
      this.sealer.open(privateKeyCiphertext, signingKeyContext(kid)).toString(),
    ) as object;
    return { kid, algorithm, publicJwk, privateJwk } as unknown as SigningKey;
  }

  async published(): Promise<readonly PublishedKey[]> {
    const rows = await this.database.prisma.signingKey.findMany({
      select: { kid: true, publicJwk: true },
      orderBy: [{ createdAt: 'desc' }, { kid: 'asc' }],
    });
    return rows.map(({ kid, publicJwk }) => ({ kid, publicJwk: publicJwk as unknown as PublicJwk }));
  }

  /** Newest first. */
  async list(): Promise<readonly SigningKeyRecord[]> {
    const rows = await this.database.prisma.signingKey.findMany({
      select: { kid: true, algorithm: true, state: true, createdAt: true, retiredAt: true },
      orderBy: [{ createdAt: 'desc' }, { kid: 'asc' }],
    });
    return rows.map(({ state, ...row }) => ({ ...row, state: state as SigningKeyRecord['state'] }));
  }

  /**
   * Makes what is missing of an active and a next key, lets the next one take over when it is a period old, and deletes
   * retired keys that no live token needs. For every start, and now and then; several processes at once do it once.
   */
  turn(nowMs: number, newKey: () => Promise<SigningKey>): Promise<void> {
    return this.turnIf(nowMs, newKey, (next) => nowMs - next.createdAt.getTime() >= lifetimesMs.signingKey);
  }

  /** Lets the next key take over now. What the old one signed holds until it expires. */
  rotate(nowMs: number, newKey: () => Promise<SigningKey>): Promise<void> {
    return this.turnIf(nowMs, newKey, () => true);
  }

  private turnIf(
    nowMs: number,
    newKey: () => Promise<SigningKey>,
    isDue: (next: { readonly createdAt: Date }) => boolean,
  ): Promise<void> {
    return new UnitOfWork(this.database).transaction(async (tx) => {
      const { signingKey } = prismaOf(tx);
      await prismaOf(tx).$executeRaw`SELECT pg_advisory_xact_lock(${TURN_LOCK}::bigint)`;
      const forgottenBefore = new Date(nowMs - lifetimesMs.accessToken - MARGIN_MS);
      await signingKey.deleteMany({ where: { state: 'retired', retiredAt: { lt: forgottenBefore } } });
      if ((await signingKey.count({ where: { state: 'active' } })) === 0) {
        await this.add(tx, await newKey(), 'active', nowMs);
      }
      const next = await signingKey.findFirst({ where: { state: 'next' } });
      if (next === null) return this.add(tx, await newKey(), 'next', nowMs);
      if (!isDue(next)) return;
      await signingKey.updateMany({
        where: { state: 'active' },
        data: { state: 'retired', retiredAt: new Date(nowMs) },
      });
      await signingKey.update({ where: { kid: next.kid }, data: { state: 'active' } });
      await this.add(tx, await newKey(), 'next', nowMs);
    });
  }

  private async add(
    tx: Transaction,
    { kid, algorithm, publicJwk, privateJwk }: SigningKey,
    state: 'active' | 'next',
    nowMs: number,
  ): Promise<void> {
    const sealed = this.sealer.seal(Buffer.from(JSON.stringify(privateJwk)), signingKeyContext(kid));
    await prismaOf(tx).signingKey.create({
      data: {
        kid,
        algorithm,
        publicJwk: { ...publicJwk },
        privateKeyCiphertext: Uint8Array.from(sealed),
        state,
        createdAt: new Date(nowMs),
      },
    });
  }
}
