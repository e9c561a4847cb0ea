import { prismaOf, type Transaction } from '@svc/database';
import { type CodeFacts } from '../../rules/oauth/judge-code';
import { lockGrant, type LockedGrant } from './grant-standing';

interface NewAuthorizationCode {
  readonly codeSha256: Uint8Array;
  readonly grantId: string;
  readonly redirectUri: string;
  readonly codeChallenge: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
}

/** A code with the facts to check it by. Its grant is locked. */
type LockedCode = CodeFacts & LockedGrant;

export class AuthorizationCodeStore {
  async createCode(tx: Transaction, code: NewAuthorizationCode): Promise<void> {
    await prismaOf(tx).authorizationCode.create({
      data: {
        ...code,
        codeSha256: Uint8Array.from(code.codeSha256),
        scopes: [...code.scopes],
        keptUntil: code.expiresAt,
      },
    });
  }

  /** Finds consumed and expired codes too: the caller must check. */
  async lockCode(tx: Transaction, codeSha256: Uint8Array): Promise<LockedCode | null> {
    const prisma = prismaOf(tx);
    const where = { codeSha256: Uint8Array.from(codeSha256) };
    const found = await prisma.authorizationCode.findUnique({ where, select: { grantId: true } });
    const grant = found && (await lockGrant(tx, found.grantId));
    if (grant === null) return null;
    // Read under the grant's lock, because another request may have consumed the code while this one waited.
    const { redirectUri, codeChallenge, scopes, expiresAt, consumedAt } =
      await prisma.authorizationCode.findUniqueOrThrow({ where });
    return { ...grant, redirectUri, codeChallenge, scopes, expiresAt, consumedAt };
  }

  /** @returns false when it was consumed before. */
  async consume(tx: Transaction, codeSha256: Uint8Array, consumedAt: Date): Promise<boolean> {
    const { count } = await prismaOf(tx).authorizationCode.updateMany({
      where: { codeSha256: Uint8Array.from(codeSha256), consumedAt: null },
      data: { consumedAt },
    });
    return count === 1;
  }
}
