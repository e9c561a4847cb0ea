import { Injectable } from '@nestjs/common';
import { RequestHistory, type RequestFilter, type RequestRecord } from '@svc/persistence';
import { unknownResource, type Caller, type Page, type Slice } from '@svc/platform/api';

/** The inference calls of an organization, one by one. */
@Injectable()
export class Requests {
  constructor(private readonly history: RequestHistory) {}

  /** A project's key sees its project's calls only: of another project there are none. */
  async list(
    { organizationId, projectId: own }: Caller,
    page: Page,
    filter: RequestFilter,
  ): Promise<Slice<RequestRecord>> {
    const projectId = filter.projectId ?? own ?? undefined;
    if (own !== null && projectId !== own) return { items: [], hasMore: false };
    return this.history.list(organizationId, page, { ...filter, projectId });
  }

  /** @throws GatewayError `notFound`, also for a call of a project that the caller's own is not. */
  async get({ organizationId, projectId: own }: Caller, id: string): Promise<RequestRecord> {
    const found = await this.history.find(organizationId, id);
    if (found === null || (own !== null && found.projectId !== own)) throw unknownResource();
    return found;
  }
}
