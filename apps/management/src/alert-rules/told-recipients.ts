import { Injectable } from '@nestjs/common';
import { type Caller } from '@svc/api';
import { isMessageKind } from '@svc/deliveries';
import { MemberStore } from '@svc/access/store';
import { IntegrationStore } from '@svc/deliveries/store';
import { unknownTarget } from './watched-targets';

/** Checks whom a rule tells against what the organization has. */
@Injectable()
export class ToldRecipients {
  constructor(
    private readonly members: MemberStore,
    private readonly integrations: IntegrationStore,
  ) {}

  /**
   * @throws GatewayError `invalidRequest` for a member that is not active here, and an integration that is not here or takes
   * no messages.
   */
  async require(
    { organizationId }: Caller,
    memberIds: readonly string[],
    integrationIds: readonly string[],
  ): Promise<void> {
    for (const [at, id] of memberIds.entries()) {
      const member = await this.members.findMember(organizationId, id);
      if (member?.state !== 'active') throw unknownTarget(`notify.member_ids[${String(at)}]`);
    }
    for (const [at, id] of integrationIds.entries()) {
      const integration = await this.integrations.findIntegration(organizationId, id);
      if (integration === null || !isMessageKind(integration.kind)) {
        throw unknownTarget(`notify.integration_ids[${String(at)}]`);
      }
    }
  }
}
