import { type Database, prismaOf, signingKeyContext, type Transaction, UnitOfWork } from '@svc/database';
import { type Sealer } from '@svc/runtime';
import {
  type PublicJwk,
  type PublishedKey,
  type PublishedKeySource,
  type SigningKey,
  type SigningKeySource,
} from '../../access-tokens/signing-key';
import { lifetimesMs } from '../../rules/lifetimes';

/** Key of the advisory lock that lets one process at a time rotate the keys. */
const TURN_LOCK = 7_310_004;
/** Longer than signers and verifiers cache keys. */
const MARGIN_MS = 600_000;

/** A key without its private part, as operators see it. */
export interface SigningKeyRecord {
  readonly kid: string;
  readonly algorithm: string;
  readonly state: 'next' | 'active' | 'retired';
  readonly createdAt: Date;
  readonly retiredAt: Date | null;
}

/**
 * The signing keys of access tokens. The next key is published a whole period before it signs, so that every verifier
 * knows it by then. A retired key stays published until its last token has expired.
 */
export class SigningKeyStore implements SigningKeySource, PublishedKeySource {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
  ) {}

  /** @throws Error before the first {@link rotateKeys}. */
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
  async listSigningKeys(): Promise<readonly SigningKeyRecord[]> {
    const rows = await this.database.prisma.signingKey.findMany({
      select: { kid: true, algorithm: true, state: true, createdAt: true, retiredAt: true },
      orderBy: [{ createdAt: 'desc' }, { kid: 'asc' }],
    });
    return rows.map(({ state, ...row }) => ({ ...row, state: state as SigningKeyRecord['state'] }));
  }

  /**
   * Creates a missing active or next key, activates the next one when it is a period old, and deletes retired keys that
   * no live token needs. To be called at every start and periodically. Concurrent calls rotate only once. Times are by
   * the database's clock, so that a process with a wrong clock removes no key that others need.
   */
  rotateKeys(newKey: () => Promise<SigningKey>): Promise<void> {
    return this.turnIf(newKey, (ageMs) => ageMs >= lifetimesMs.signingKey);
  }

  /** Activates the next key now. Tokens of the old one stay valid until they expire. */
  rotate(newKey: () => Promise<SigningKey>): Promise<void> {
    return this.turnIf(newKey, () => true);
  }

  /** @param isDue gets the age of the next key in milliseconds. */
  private turnIf(newKey: () => Promise<SigningKey>, isDue: (ageMs: number) => boolean): Promise<void> {
    return new UnitOfWork(this.database).transaction(async (tx) => {
      const { signingKey } = prismaOf(tx);
      await prismaOf(tx).$executeRaw`SELECT pg_advisory_xact_lock(${TURN_LOCK}::bigint)`;
      const now = await timeIn(tx);
      const forgottenBefore = new Date(now.getTime() - lifetimesMs.accessToken - MARGIN_MS);
      await signingKey.deleteMany({ where: { state: 'retired', retiredAt: { lt: forgottenBefore } } });
      if ((await signingKey.count({ where: { state: 'active' } })) === 0) {
        await this.add(tx, await newKey(), 'active', now);
      }
      const next = await signingKey.findFirst({ where: { state: 'next' } });
      if (next === null) return this.add(tx, await newKey(), 'next', now);
      if (!isDue(now.getTime() - next.createdAt.getTime())) return;
      await signingKey.updateMany({
        where: { state: 'active' },
        data: { state: 'retired', retiredAt: now },
      });
      await signingKey.update({ where: { kid: next.kid }, data: { state: 'active' } });
      await this.add(tx, await newKey(), 'next', now);
    });
  }

  private async add(
    tx: Transaction,
    { kid, algorithm, publicJwk, privateJwk }: SigningKey,
    state: 'active' | 'next',
    createdAt: Date,
  ): Promise<void> {
    const sealed = this.sealer.sealAsBefore(Buffer.from(JSON.stringify(privateJwk)), signingKeyContext(kid));
    await prismaOf(tx).signingKey.create({
      data: {
        kid,
        algorithm,
        publicJwk: { ...publicJwk },
        privateKeyCiphertext: Uint8Array.from(sealed),
        state,
        createdAt,
      },
    });
  }
}

/** By the database's clock. */
async function timeIn(tx: Transaction): Promise<Date> {
  const [row] = await prismaOf(tx).$queryRaw<[{ now: Date }]>`SELECT now()`;
  return row.now;
}
