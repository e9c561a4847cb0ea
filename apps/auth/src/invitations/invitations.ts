import { isSecret, secretHash } from '@svc/identity';
import { type Clock, GatewayError } from '@svc/kernel';
import {
  type AuditLog,
  initialFields,
  type InvitationAcceptance,
  type InvitationRecord,
  type Transaction,
  type UnitOfWork,
  type UserStore,
} from '@svc/persistence';

/** Who accepts: somebody who has shown to be this user, or a new one with the password that they chose. */
export type Accepting =
  | { readonly userId: string }
  /** argon2id, PHC string. */
  | { readonly passwordHash: string };

export interface InvitationsOptions {
  readonly unitOfWork: UnitOfWork;
  readonly acceptance: InvitationAcceptance;
  readonly users: UserStore;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
}

export class Invitations {
  constructor(private readonly options: InvitationsOptions) {}

  async find(secret: string): Promise<InvitationRecord | null> {
    return isSecret('invitation', secret) ? this.options.acceptance.find(secretHash(secret)) : null;
  }

  isOpen({ state, expiresAt }: InvitationRecord): boolean {
    return state === 'pending' && expiresAt.getTime() > this.options.clock.now();
  }

  /**
   * Invitation, user, membership and audit entry together.
   * @returns the user's id; null for an invitation that was accepted, revoked or ran out meanwhile.
   */
  accept(invitation: InvitationRecord, accepting: Accepting, requestId: string): Promise<string | null> {
    const { unitOfWork, acceptance, clock } = this.options;
    return unitOfWork.transaction(async (tx) => {
      if (!(await acceptance.use(tx, invitation.id, clock.now()))) return null;
      const userId = await this.userOf(tx, invitation, accepting);
      await this.admit(tx, invitation, userId, requestId);
      return userId;
    });
  }

  private async userOf(tx: Transaction, { email }: InvitationRecord, accepting: Accepting): Promise<string> {
    if ('userId' in accepting) return accepting.userId;
    const userId = await this.options.users.setFirstPassword(tx, email, accepting.passwordHash);
    if (userId !== null) return userId;
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
