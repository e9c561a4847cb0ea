import { Injectable } from '@nestjs/common';
import { type GrantFilter, type GrantHolder, type GrantRecord, GrantStore } from '@svc/access/store';
import { known, type Caller } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import { changedFields } from '@svc/database';

/** Members' consents for apps, and how they end (docs/reference/oauth.md#grants). */
@Injectable()
export class Grants {
  constructor(
    private readonly store: GrantStore,
    private readonly mutations: Mutations,
  ) {}

  listOfUser(caller: Caller, page: Page): Promise<Slice<GrantRecord>> {
    return this.store.listByUser(userOf(caller), page);
  }

  listOfOrganization(
    { organizationId }: Caller,
    page: Page,
    filter: GrantFilter,
  ): Promise<Slice<GrantRecord>> {
    return this.store.listByOrganization(organizationId, page, filter);
  }

  /** @throws GatewayError `notFound`. */
  getOfUser(caller: Caller, id: string): Promise<GrantRecord> {
    return this.get(id, { userId: userOf(caller) });
  }

  /** @throws GatewayError `notFound`. */
  getOfOrganization({ organizationId }: Caller, id: string): Promise<GrantRecord> {
    return this.get(id, { organizationId });
  }

  /** @throws GatewayError `notFound`. */
  revokeOfUser(caller: Caller, id: string): Promise<GrantRecord> {
    return this.revoke(caller, id, { userId: userOf(caller) });
  }

  /** @throws GatewayError `notFound`. */
  revokeOfOrganization(caller: Caller, id: string): Promise<GrantRecord> {
    return this.revoke(caller, id, { organizationId: caller.organizationId });
  }

  private async get(id: string, holder: GrantHolder): Promise<GrantRecord> {
    return known(await this.store.findHeld(id, holder));
  }

  /** A grant that is already revoked stays as it is. */
  private async revoke({ actor, requestId }: Caller, id: string, holder: GrantHolder): Promise<GrantRecord> {
    // The audit entry belongs to the grant's organization, which may not be the caller's.
    const { organizationId } = await this.get(id, holder);
    return this.mutations.run({ actor, requestId, organizationId }, async ({ tx, at, audit }) => {
      const revoked = known(await this.store.revokeGrant(tx, id, holder, at));
      const { grant, wasActive } = revoked;
      if (wasActive)
        await audit('grant.revoke', id, changedFields({ state: 'active' }, { state: 'revoked' }));
      return grant;
    });
  }
}

function userOf({ userId }: Caller): string {
  if (userId !== null) return userId;
  throw new GatewayError('permissionDenied', 'Grants are given by members: an API key has none.');
}
