import { Inject } from '@nestjs/common';
import {
  InvitationStore,
  MemberStore,
  type OrganizationRecord,
  OrganizationStore,
  UserStore,
} from '@svc/access/store';
import { Change, Create, Get, List, OperatorResource, type Call } from '@svc/api';
import { type OrganizationPriceStore, WalletReading, WalletStore } from '@svc/ledger/store';
import { UsageStore } from '@svc/usage/store';
import { type Collection } from '../collection';
import { PRICES } from '../runtime';
import { creditGrant, presentCreditGrant } from '../wallet/wallet-schema';
import { OrganizationOverviewController } from './organization-overview.controller';
import { OrganizationOverviews } from './organization-overviews';
import { appointee, OwnerAppointment } from './owner-appointment';
import {
  createdPlatformOrganization,
  grantHeaders,
  newCreditGrant,
  newOwner,
  newPlatformOrganization,
  owner,
  platformOrganization,
  platformOrganizationChange,
  platformOrganizationFilters,
  presentOwner,
  presentPlatformOrganization,
} from './platform-organization-schema';
import { PlatformOrganizations } from './platform-organizations';

@OperatorResource({
  path: 'organizations',
  one: 'PlatformOrganization',
  many: 'PlatformOrganizations',
  tag: 'Operator',
  description: 'For the operator of the platform, with the operator’s token.',
})
class PlatformOrganizationsController {
  constructor(
    private readonly organizations: PlatformOrganizations,
    @Inject(PRICES) private readonly prices: OrganizationPriceStore,
  ) {}

  @List('', {
    summary: 'All organizations, newest first.',
    permission: null,
    scope: null,
    cursor: 'organization',
    query: platformOrganizationFilters,
    item: platformOrganization,
  })
  async list({ page, query: { q: text, state } }: Call<{ query: typeof platformOrganizationFilters }>) {
    const { items, hasMore } = await this.organizations.list(page, { text, state });
    return { items: items.map((item) => this.present(item)), hasMore };
  }

  @Get(':organization_id', {
    summary: 'One organization, with its ceilings and its wallet.',
    permission: null,
    scope: null,
    answer: platformOrganization,
  })
  async get({ caller }: Call) {
    return this.present(await this.organizations.get(caller));
  }

  @Create('', {
    summary: 'Creates an organization, with an owner and an empty wallet.',
    description:
      'A user with this address, verified, becomes the owner, and so does a new user with the password given. Anybody ' +
      'else is invited, and is no owner before they accept. `owner.state` says which. The invitation is mailed if the ' +
      'service can send mail.',
    permission: null,
    scope: null,
    body: newPlatformOrganization,
    answer: createdPlatformOrganization,
  })
  async create({ caller, body }: Call<{ body: typeof newPlatformOrganization }>) {
    const created = await this.organizations.create(
      caller,
      body.name,
      await appointee(body.owner_email, body.owner_password),
    );
    return {
      ...this.present(created.organization),
      owner: presentOwner(created.owner),
    };
  }

  @Change(':organization_id', {
    summary: 'Sets ceilings and prices, suspends or reactivates an organization.',
    description: 'Applies from the next call on. Calls in flight go on, and cost what was held for them.',
    permission: null,
    scope: null,
    body: platformOrganizationChange,
    answer: platformOrganization,
  })
  async change({ caller, body }: Call<{ body: typeof platformOrganizationChange }>) {
    return this.present(await this.organizations.change(caller, body));
  }

  @Create(':organization_id/owners', {
    summary: 'Appoints an owner of an organization.',
    description:
      'For an organization without an owner, or whose first owner did not choose a password in time. The address is ' +
      'treated as when the organization is created.',
    permission: null,
    scope: null,
    operation: 'appointOwner',
    body: newOwner,
    answer: owner,
  })
  async appoint({ caller, body }: Call<{ body: typeof newOwner }>) {
    const appointed = await appointee(body.owner_email, body.owner_password);
    return presentOwner(await this.organizations.appoint(caller, appointed));
  }

  @Create(':organization_id/credit-grants', {
    summary: 'Grants credit to an organization.',
    permission: null,
    scope: null,
    operation: 'grantCredit',
    headers: grantHeaders,
    body: newCreditGrant,
    answer: creditGrant,
    errors: ['idempotencyKeyReused'],
  })
  async grantCredit({
    caller,
    body,
    headers,
  }: Call<{ body: typeof newCreditGrant; headers: typeof grantHeaders }>) {
    const grant = await this.organizations.grantCredit(caller, {
      amountNanos: body.amount_nanos,
      reason: body.reason,
      idempotencyKey: headers['Idempotency-Key'] ?? null,
    });
    return presentCreditGrant(grant);
  }

  private present(organization: OrganizationRecord) {
    return presentPlatformOrganization({ ...organization, defaults: this.prices.defaults });
  }
}

export const platformOrganizations: Collection = {
  controllers: [PlatformOrganizationsController, OrganizationOverviewController],
  services: [OwnerAppointment, PlatformOrganizations, OrganizationOverviews],
  stores: [
    ...[OrganizationStore, MemberStore, UserStore, InvitationStore],
    ...[WalletStore, WalletReading, UsageStore],
  ],
};
