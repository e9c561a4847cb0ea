import { Get, List, OperatorResource, type Call } from '@svc/api';
import { creditGrant, presentCreditGrant } from '../wallet/wallet-schema';
import { organizationOverview, presentOrganizationOverview } from './organization-overview-schema';
import { OrganizationOverviews } from './organization-overviews';

@OperatorResource({
  path: 'organizations',
  one: 'OrganizationOverview',
  many: 'OrganizationOverviews',
  tag: 'Operator',
  description: 'For the operator of the platform, with the operator’s token.',
})
export class OrganizationOverviewController {
  constructor(private readonly overviews: OrganizationOverviews) {}

  @Get(':organization_id/overview', {
    summary: 'The owners, the number of members and the recent spend of an organization.',
    permission: null,
    scope: null,
    answer: organizationOverview,
  })
  async get({ caller }: Call) {
    return presentOrganizationOverview(await this.overviews.get(caller));
  }

  @List(':organization_id/credit-grants', {
    summary: 'The credit that the operator granted to an organization, newest first.',
    description: 'Without the credit that was paid for: that is in `GET /platform/v1/payments`.',
    permission: null,
    scope: null,
    operation: 'listGrantedCredit',
    cursor: 'creditGrant',
    item: creditGrant,
  })
  async grants({ caller, page }: Call) {
    const { items, hasMore } = await this.overviews.grants(caller, page);
    return { items: items.map(presentCreditGrant), hasMore };
  }
}
