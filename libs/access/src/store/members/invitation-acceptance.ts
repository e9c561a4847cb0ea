import { type Database, prismaOf, type Transaction } from '@svc/database';
import { type NewId } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { type Role } from '../../rules/permissions/permissions';

/** An invitation as the holder of its secret sees it. */
export interface InvitationRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly organizationName: string;
  /** Lower case. */
  readonly email: string;
  readonly role: Role;
  readonly state: 'pending' | 'accepted' | 'revoked';
  readonly expiresAt: Date;
  /** SHA-256 of the secret that found it. */
  readonly sha256: Buffer;
  /** True where that secret was only mailed. Its holder then reads the address's mail. */
  readonly mailed: boolean;
  /** True where the operator sent it, and no member or key of the organization. */
  readonly isOfOperator: boolean;
}

export interface Admission {
  readonly organizationId: string;
  readonly userId: string;
  readonly role: Role;
}

/** Actions of the holder of an invitation's secret. */
export class InvitationAcceptance {
  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
  ) {}

  /** @param sha256 of the invitation's secret. Finds accepted, revoked and expired ones too: the caller judges. */
  async findInvitationBySha256(sha256: Buffer): Promise<InvitationRecord | null> {
    const { rows } = await this.database.pool.query<InvitationRecord>(
      `SELECT i.id, i.organization_id AS "organizationId", o.name AS "organizationName", i.email, i.role, i.state,
         i.expires_at AS "expiresAt", $1::bytea AS sha256, i.mailed_secret_sha256 IS NOT DISTINCT FROM $1 AS mailed,
         i.invited_by IS NULL AS "isOfOperator"
       FROM invitations i JOIN organizations o ON o.id = i.organization_id
       WHERE i.secret_sha256 = $1 OR i.mailed_secret_sha256 = $1`,
      [sha256],
    );
    return rows[0] ?? null;
  }

  /**
   * One conditional statement: of two concurrent acceptances only one succeeds, and none by a link that was replaced
   * meanwhile.
   * @returns whether this call accepted it.
   */
  async use(tx: Transaction, { id, sha256 }: InvitationRecord, nowMs: number): Promise<boolean> {
    const now = new Date(nowMs);
    const bytes = Uint8Array.from(sha256);
    const { count } = await prismaOf(tx).invitation.updateMany({
      where: {
        id,
        state: 'pending',
        expiresAt: { gt: now },
        OR: [{ secretSha256: bytes }, { mailedSecretSha256: bytes }],
      },
      data: { state: 'accepted', acceptedAt: now },
    });
    return count === 1;
  }

  /**
   * Makes a user a member, a removed member active again, or a member an owner.
   * @returns the member's id; null for any other active member, whose role stays: an invitation must not demote the last
   * owner.
   */
  async admit(tx: Transaction, { organizationId, userId, role }: Admission): Promise<string | null> {
    const rows = await prismaOf(tx).$queryRaw<{ id: string }[]>`
      INSERT INTO members (id, organization_id, user_id, role)
      VALUES (${this.newId('member')}, ${organizationId}, ${userId}, ${role})
      ON CONFLICT (organization_id, user_id)
        DO UPDATE SET role = excluded.role, state = 'active', removed_at = NULL, updated_at = now()
        WHERE members.state = 'removed' OR (excluded.role = 'owner' AND members.role <> 'owner')
      RETURNING id`;
    return rows[0]?.id ?? null;
  }

  /**
   * True where a user is a member of an organization. Up to 0.1.0 the operator's organizations made their owners members
   * before these had chosen a password.
   */
  async isMember(organizationId: string, userId: string): Promise<boolean> {
    const where = { organizationId, userId, state: 'active' };
    return (await this.database.prisma.member.count({ where })) > 0;
  }
}
