import { isSecret, secretHash } from '@svc/access';
import { type InvitationAcceptance, type InvitationRecord, type UserStore } from '@svc/access/store';
import { type Clock, GatewayError } from '@svc/kernel';
import { type AuditLog, initialFields, type Transaction, type UnitOfWork } from '@svc/database';

/** The person who accepts. */
export interface Accepting {
  /** The user, whose identity is proved; null for a new user. */
  readonly userId: string | null;
  /** argon2id, PHC string: of the password that the user entered or chose; null for a user with a session. */
  readonly passwordHash: string | null;
  /** True where the password may be the first one of a user who exists. */
  readonly claims: boolean;
}

interface InvitationsOptions {
  readonly unitOfWork: UnitOfWork;
  readonly acceptance: InvitationAcceptance;
  readonly users: UserStore;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
}

export class Invitations {
  constructor(private readonly options: InvitationsOptions) {}

  async find(secret: string): Promise<InvitationRecord | null> {
    return isSecret('invitation', secret)
      ? this.options.acceptance.findInvitationBySha256(secretHash(secret))
      : null;
  }

  /**
   * True where the holder of an invitation may choose the first password of a user who exists: who reads the address's mail,
   * or whom the organization made a member itself. Any organization can invite any address, and is shown a link.
   */
  async mayClaim({ mailed, organizationId }: InvitationRecord, userId: string): Promise<boolean> {
    return mailed || (await this.options.acceptance.isMember(organizationId, userId));
  }

  isOpen({ state, expiresAt }: InvitationRecord): boolean {
    return state === 'pending' && expiresAt.getTime() > this.options.clock.now();
  }

  /**
   * Writes invitation, user, membership and audit entry in one transaction.
   * @returns the user's id; null for an invitation that was accepted or revoked or has expired meanwhile.
   */
  accept(invitation: InvitationRecord, accepting: Accepting, requestId: string): Promise<string | null> {
    const { unitOfWork, acceptance, users, clock } = this.options;
    return unitOfWork.transaction(async (tx) => {
      if (!(await acceptance.use(tx, invitation, clock.now()))) return null;
      const userId = await this.userOf(tx, invitation, accepting);
      if (invitation.mailed) await users.verifyEmail(tx, userId, new Date(clock.now()));
      await this.admit(tx, invitation, userId, requestId);
      return userId;
    });
  }

  private async userOf(
    tx: Transaction,
    { email }: InvitationRecord,
    { userId, passwordHash, claims }: Accepting,
  ): Promise<string> {
    if (userId !== null) return userId;
    const { users } = this.options;
    if (passwordHash !== null) {
      const newUserId = claims
        ? await users.setFirstPassword(tx, email, passwordHash)
        : await users.createUser(tx, email, passwordHash);
      if (newUserId !== null) return newUserId;
    }
    throw new GatewayError(
      'invalidRequest',
      'This address has an account by now. Open the invitation again.',
    );
  }

  private async admit(
    tx: Transaction,
    { id, organizationId, role }: InvitationRecord,
    userId: string,
    requestId: string,
  ): Promise<void> {
    const { acceptance, auditLog } = this.options;
    const memberId = await acceptance.admit(tx, { organizationId, userId, role });
    if (memberId === null) return;
    await auditLog.append(tx, {
      organizationId,
      actor: { type: 'user', id: userId },
      action: 'member.create',
      targetId: memberId,
      changes: initialFields({ user_id: userId, role, invitation_id: id }),
      requestId,
    });
  }
}
