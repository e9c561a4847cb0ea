import { Get, List, Resource, type Call } from '@svc/platform/api';
import { presentRequest } from './present-request';
import { request, requestFilters } from './request-schema';
import { Requests } from './requests';

const ids = { request_id: 'request' } as const;

@Resource({
  path: 'requests',
  one: 'Request',
  many: 'Requests',
  tag: 'Requests',
  description: 'The inference calls of an organization: how each was routed, what it used and what it cost.',
})
export class RequestsController {
  constructor(private readonly requests: Requests) {}

  @List('', {
    summary: 'The calls, newest first.',
    description:
      'With filters that few calls meet, a page can hold less than its limit, or nothing, while `has_more` is true: ' +
      'the search goes on at `next_cursor`. Bounds in time make it shorter.',
    permission: 'usage:read',
    scope: 'requests:read',
    cursor: 'request',
    query: requestFilters,
    item: request,
  })
  async list({ caller, page, query }: Call<{ query: typeof requestFilters }>) {
    const { items, ...rest } = await this.requests.list(caller, page, {
      projectId: query.project_id,
      apiKeyId: query.api_key_id,
      model: query.model,
      provider: query.provider,
      status: query.status,
      httpStatus: query.http_status,
      errorCode: query.error_code,
      stream: query.stream,
      createdAfter: query.created_after,
      createdBefore: query.created_before,
    });
    return { ...rest, items: items.map(presentRequest) };
  }

  @Get(':request_id', {
    summary: 'One call.',
    permission: 'usage:read',
    scope: 'requests:read',
    ids,
    answer: request,
  })
  async get({ caller, ids }: Call<{ ids: 'request_id' }>) {
    return presentRequest(await this.requests.get(caller, ids.request_id));
  }
}
