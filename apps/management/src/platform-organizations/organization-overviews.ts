import { Inject, Injectable } from '@nestjs/common';
import { type Headcount, type MemberRecord, MemberStore } from '@svc/access/store';
import { type Caller } from '@svc/api';
import { type Clock, type Page, type Slice } from '@svc/kernel';
import { type CreditGrant, WalletReading } from '@svc/ledger/store';
import { type RecentSpend, UsageStore } from '@svc/usage/store';
import { CLOCK } from '../runtime';
import { OWNERS_SHOWN } from './organization-overview-schema';
import { PlatformOrganizations } from './platform-organizations';

const DAY_MS = 24 * 3_600_000;

/** An organization, as the operator looks at it. */
export interface OrganizationOverview {
  readonly organizationId: string;
  readonly headcount: Headcount;
  /** At most `OWNERS_SHOWN`. */
  readonly owners: readonly MemberRecord[];
  readonly spend: RecentSpend;
}

/** An organization as the operator sees it, beside its settings. */
@Injectable()
export class OrganizationOverviews {
  constructor(
    private readonly organizations: PlatformOrganizations,
    private readonly members: MemberStore,
    private readonly usage: UsageStore,
    private readonly wallets: WalletReading,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws GatewayError `notFound`. */
  async get(caller: Caller): Promise<OrganizationOverview> {
    const { id: organizationId } = await this.organizations.get(caller);
    const today = Math.floor(this.clock.now() / DAY_MS);
    const ownersPage = { limit: OWNERS_SHOWN, before: null };
    const [headcount, { items: owners }, spend] = await Promise.all([
      this.members.headcount(organizationId),
      this.members.listMembers(organizationId, ownersPage, { role: 'owner', state: 'active' }),
      this.usage.recentSpend(organizationId, today),
    ]);
    return { organizationId, headcount, owners, spend };
  }

  /** @throws GatewayError `notFound`. */
  async grants(caller: Caller, page: Page): Promise<Slice<CreditGrant>> {
    const { id } = await this.organizations.get(caller);
    return this.wallets.listGivenGrants(id, page);
  }
}
