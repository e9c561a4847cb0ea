import { Get, List, Resource, type Call } from '@svc/api';
import { RequestHistory } from '@svc/ledger/store';
import { type Collection } from '../collection';
import { presentRequest, request, requestFilters } from './request-schema';
import { Requests } from './requests';

const ids = { request_id: 'request' } as const;

@Resource({
  path: 'requests',
  one: 'Request',
  many: 'Requests',
  tag: 'Requests',
  description: 'The inference calls of an organization: how each was routed, what it used and what it cost.',
})
class RequestsController {
  constructor(private readonly requests: Requests) {}

  @List('', {
    summary: 'The calls, newest first.',
    description:
      'A page can hold fewer items than its limit, or none, while `has_more` is true: continue at `next_cursor`. ' +
      'Bounds in time make the search shorter. A call passes all filters; of one with several values, any.',
    permission: 'usage:read',
    scope: 'requests:read',
    cursor: 'request',
    query: requestFilters,
    item: request,
  })
  async list({ caller, page, query }: Call<{ query: typeof requestFilters }>) {
    const { items, ...rest } = await this.requests.list(caller, page, {
      projectIds: query.project_id,
      apiKeyIds: query.api_key_id,
      models: query.model,
      providers: query.provider,
      statuses: query.status,
      failed: query.failed,
      httpStatuses: query.http_status,
      errorCodes: query.error_code,
      stream: query.stream,
      sessionId: query.session_id,
      attemptsMin: query.attempts_min,
      costMinNanos: query.min_cost_nanos,
      durationMinMs: query.min_duration_ms,
      ttftMinMs: query.min_ttft_ms,
      user: query.user,
      endUser: query.end_user,
      metadata: query.metadata,
      traceId: query.trace_id,
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

export const requests: Collection = {
  controllers: [RequestsController],
  services: [Requests],
  stores: [RequestHistory],
};
