import { Injectable } from '@nestjs/common';
import {
  type MemberRecord,
  type OrganizationFilter,
  type OrganizationRecord,
  OrganizationStore,
} from '@svc/access/store';
import { known, recordFields, type Caller } from '@svc/api';
import { type ChangeAuthor, Mutations } from '@svc/approvals/store';
import { GatewayError, isId, nanos, nanosToJson, type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields, type Transaction } from '@svc/database';
import { type CreditGrant, WalletStore } from '@svc/ledger/store';
import { systemIds } from '@svc/runtime';
import { type z } from 'zod';
import { InvitationMail } from '../invitations/invitation-mail';
import { type AppointedOwner, type Appointee, OwnerAppointment } from './owner-appointment';
import { auditedOrganization, type platformOrganizationChange } from './platform-organization-schema';

/** An owner as the operator is told of them. */
export interface ToldOwner {
  /** Null until the invitation is accepted. */
  readonly member: MemberRecord | null;
  /** Lower case. */
  readonly email: string;
  /** Of the invitation that makes them an owner; null for who is one, and where only the mailed link may do that. */
  readonly acceptUrl: string | null;
  /** True where the mail server accepted the invitation. */
  readonly mailed: boolean;
}

interface CreditRequest {
  readonly amountNanos: number;
  readonly reason: string;
  readonly idempotencyKey: string | null;
}

/** All organizations, as the operator administers them. */
@Injectable()
export class PlatformOrganizations {
  constructor(
    private readonly store: OrganizationStore,
    private readonly owners: OwnerAppointment,
    private readonly wallets: WalletStore,
    private readonly mail: InvitationMail,
    private readonly mutations: Mutations,
  ) {}

  list(page: Page, filter: OrganizationFilter): Promise<Slice<OrganizationRecord>> {
    return this.store.listOrganizations(page, filter);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId }: Caller): Promise<OrganizationRecord> {
    return known(
      isId('organization', organizationId) ? await this.store.findOrganization(organizationId) : null,
    );
  }

  /** Creates it with an owner and an empty wallet. */
  async create(
    caller: Caller,
    name: string,
    appointee: Appointee,
  ): Promise<{ readonly organization: OrganizationRecord; readonly owner: ToldOwner }> {
    const organizationId = systemIds('organization');
    const author: ChangeAuthor = { ...caller, organizationId };
    const { organization, owner } = await this.mutations.run(author, async (mutation) => {
      const organization = await this.store.createOrganization(mutation.tx, { id: organizationId, name });
      await mutation.audit('organization.create', organizationId, initialFields({ name }));
      return { organization, owner: await this.owners.appoint(mutation, author, appointee) };
    });
    return { organization, owner: await this.tell(owner, name) };
  }

  /**
   * For an organization whose owners have all left, or whose first owner's invitation has expired.
   * @throws GatewayError `notFound`.
   */
  async appoint(caller: Caller, appointee: Appointee): Promise<ToldOwner> {
    const { owner, name } = await this.mutations.run(caller, async (mutation) => {
      const { name } = await this.lock(mutation.tx, caller);
      return { name, owner: await this.owners.appoint(mutation, caller, appointee) };
    });
    return this.tell(owner, name);
  }

  /** @throws GatewayError `notFound`. */
  change(caller: Caller, body: z.output<typeof platformOrganizationChange>): Promise<OrganizationRecord> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const before = await this.lock(tx, caller);
      const changes = changedFields(auditedOrganization(before), body);
      if (Object.keys(changes).length === 0) return before;
      await audit('organization.update', before.id, changes);
      return this.store.changeOrganization(tx, before.id, recordFields(body));
    });
  }

  /**
   * @throws GatewayError `notFound`; `invalidRequest` for more than a wallet can hold; `idempotencyKeyReused` where the key
   * was used for another grant.
   */
  grantCredit(caller: Caller, credit: CreditRequest): Promise<CreditGrant> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      // The second of two calls with the same key waits here, and then finds the first one's grant.
      const { id } = await this.lock(tx, caller);
      const earlier = await this.findEarlier(tx, id, credit);
      if (earlier !== null) return earlier;
      const { amountNanos, reason, idempotencyKey } = credit;
      const grant = await this.wallets.creditWithin(tx, id, nanos(amountNanos), reason, idempotencyKey);
      await audit('credit_grant.create', grant.id, initialFields({ amount_nanos: amountNanos, reason }));
      return grant;
    });
  }

  private async findEarlier(
    tx: Transaction,
    organizationId: string,
    { amountNanos, reason, idempotencyKey }: CreditRequest,
  ): Promise<CreditGrant | null> {
    if (idempotencyKey === null) return null;
    const earlier = await this.wallets.findGrantByKey(tx, organizationId, idempotencyKey);
    if (earlier === null) return null;
    if (nanosToJson(earlier.amount) === amountNanos && earlier.reason === reason) return earlier;
    throw new GatewayError('idempotencyKeyReused', 'This key was used for another grant.', {
      param: 'Idempotency-Key',
    });
  }

  private async lock(tx: Transaction, { organizationId }: Caller): Promise<OrganizationRecord> {
    return known(
      isId('organization', organizationId) ? await this.store.lockOrganization(tx, organizationId) : null,
    );
  }

  /** Where an address is claimed, and mail goes out, the operator gets no link that whoever claimed it could be handed. */
  private async tell(owner: AppointedOwner, organizationName: string): Promise<ToldOwner> {
    const { member } = owner;
    if (member !== null) return { member, email: member.email, acceptUrl: null, mailed: false };
    const { issued, isClaimed } = owner;
    const { email } = issued.invitation;
    const acceptUrl = isClaimed && this.mail.isPossible ? null : issued.acceptUrl;
    return { member, email, acceptUrl, mailed: await this.mail.send(issued, organizationName) };
  }
}
