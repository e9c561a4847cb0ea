import { Inject } from '@nestjs/common';
import { Change, Get, List, Resource, type Call } from '@svc/api';
import { OrganizationStore, type OrganizationRecord } from '@svc/access/store';
import { type Collection } from '../collection';
import { OPERATOR_CONTACT } from '../runtime';
import { organization, organizationChange, presentOrganization } from './organization-schema';
import { Organizations } from './organizations';

@Resource({
  path: 'organizations',
  scopedPath: null,
  one: 'Organization',
  many: 'Organizations',
  tag: 'Organizations',
  description: 'An organization owns everything else: members, projects, keys, a wallet.',
})
class OrganizationsController {
  constructor(
    private readonly organizations: Organizations,
    @Inject(OPERATOR_CONTACT) private readonly operatorContact: string | null,
  ) {}

  @List('', {
    summary: 'The caller’s organizations, newest first.',
    description:
      'A console session sees every organization that its user is a member of; a key or an access token its own.',
    permission: 'org:read',
    scope: 'usage:read',
    acrossOrganizations: true,
    cursor: 'organization',
    item: organization,
  })
  async list({ caller, page }: Call) {
    const { items, hasMore } = await this.organizations.list(caller, page);
    return { items: items.map((item) => this.present(item)), hasMore };
  }

  @Get(':organization_id', {
    summary: 'One organization.',
    permission: 'org:read',
    scope: 'usage:read',
    answer: organization,
  })
  async get({ caller }: Call) {
    return this.present(await this.organizations.get(caller));
  }

  @Change(':organization_id', {
    summary: 'Changes an organization.',
    description: 'Another `usage_tag` holds for new calls, within 30 seconds.',
    permission: 'org:write',
    scope: null,
    approval: 'organization.update',
    body: organizationChange,
    answer: organization,
  })
  async change({ caller, body }: Call<{ body: typeof organizationChange }>) {
    return this.present(await this.organizations.change(caller, body));
  }

  private present(record: OrganizationRecord) {
    return presentOrganization({ ...record, operatorContact: this.operatorContact });
  }
}

export const organizations: Collection = {
  controllers: [OrganizationsController],
  services: [Organizations],
  stores: [OrganizationStore],
};
