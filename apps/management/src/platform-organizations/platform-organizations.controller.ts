import { Change, Create, Get, List, OperatorResource, type Call } from '@svc/platform/api';
import { presentCreditGrant } from '../wallet/present-wallet';
import { creditGrant } from '../wallet/wallet-schema';
import { appointee } from './owner-appointment';
import {
  createdPlatformOrganization,
  grantHeaders,
  newCreditGrant,
  newOwner,
  newPlatformOrganization,
  owner,
  platformOrganization,
  platformOrganizationChange,
} from './platform-organization-schema';
import { PlatformOrganizations } from './platform-organizations';
import { presentOwner, presentPlatformOrganization } from './present-platform-organization';

@OperatorResource({
  path: 'organizations',
  one: 'PlatformOrganization',
  many: 'PlatformOrganizations',
  tag: 'Operator',
  description: 'What the operator of the platform administers, with the operator’s token.',
})
export class PlatformOrganizationsController {
  constructor(private readonly organizations: PlatformOrganizations) {}

  @List('', {
    summary: 'All organizations, newest first.',
    permission: null,
    scope: null,
    cursor: 'organization',
    item: platformOrganization,
  })
  async list({ page }: Call) {
    const { items, hasMore } = await this.organizations.list(page);
    return { items: items.map(presentPlatformOrganization), hasMore };
  }

  @Get(':organization_id', {
    summary: 'One organization, with its ceilings and its wallet.',
    permission: null,
    scope: null,
    answer: platformOrganization,
  })
  async get({ caller }: Call) {
    return presentPlatformOrganization(await this.organizations.get(caller));
  }

  @Create('', {
    summary: 'Makes an organization, with an owner and an empty wallet.',
    description:
      'A user who has the address already becomes the owner as they are. Else there is a new user: with the password ' +
      'given, or else with `owner.accept_url`, which is also mailed where the service can send mail.',
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
      ...presentPlatformOrganization(created.organization),
      owner: presentOwner(created.owner),
    };
  }

  @Change(':organization_id', {
    summary: 'Sets ceilings, suspends or reactivates an organization.',
    description: 'Calls under way are not touched; the next ones see it at once.',
    permission: null,
    scope: null,
    body: platformOrganizationChange,
    answer: platformOrganization,
  })
  async change({ caller, body }: Call<{ body: typeof platformOrganizationChange }>) {
    const { rate_limit_rpm: rateLimitRpm, rate_limit_tpm: rateLimitTpm, state } = body;
    const change = { rateLimitRpm, rateLimitTpm, state };
    return presentPlatformOrganization(await this.organizations.change(caller, change));
  }

  @Create(':organization_id/owners', {
    summary: 'Makes somebody an owner of an organization.',
    description:
      'For an organization whose owners are all gone, or whose first one did not choose a password in time. Whoever has ' +
      'the address becomes an owner, as when the organization is made.',
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
    summary: 'Gives an organization credit.',
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
}
