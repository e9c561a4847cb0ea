import { Inject, Injectable } from '@nestjs/common';
import { unknownResource, type Caller } from '@svc/api';
import { type Page, type Slice } from '@svc/kernel';
import {
  type EndUserPeppers,
  RequestHistory,
  type RequestFilter,
  type RequestRecord,
} from '@svc/ledger/store';
import { END_USERS } from '../runtime';

type AskedFilter = Omit<RequestFilter, 'endUserId'> & {
  /** By the id or the name. */
  readonly endUser?: string | undefined;
};

/** The inference calls of an organization, one by one. */
@Injectable()
export class Requests {
  constructor(
    private readonly history: RequestHistory,
    @Inject(END_USERS) private readonly endUsers: EndUserPeppers,
  ) {}

  /** A project's key sees only its project's calls; a filter for other projects finds none. */
  async list(
    { organizationId, projectId: own }: Caller,
    page: Page,
    { endUser, ...asked }: AskedFilter,
  ): Promise<Slice<RequestRecord>> {
    const endUserId = endUser && (await this.endUsers.idOf(organizationId, endUser));
    const filter = { ...asked, endUserId };
    if (own === null) return this.history.listRequests(organizationId, page, filter);
    if (filter.projectIds?.includes(own) === false) return { items: [], hasMore: false };
    return this.history.listRequests(organizationId, page, { ...filter, projectIds: [own] });
  }

  /** @throws GatewayError `notFound`, also for a call of a project other than the caller's own. */
  async get({ organizationId, projectId: own }: Caller, id: string): Promise<RequestRecord> {
    const found = await this.history.findRequest(organizationId, id);
    if (found === null || (own !== null && found.projectId !== own)) throw unknownResource();
    return found;
  }
}
