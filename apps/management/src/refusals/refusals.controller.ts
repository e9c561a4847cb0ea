import { Get, Resource, type Call } from '@svc/api';
import { RefusalSummaries } from '@svc/usage/store';
import { type Collection } from '../collection';
import { presentRefusals, refusalQuery, refusalSummary } from './refusal-schema';
import { Refusals } from './refusals';

@Resource({
  path: 'usage/refusals',
  one: 'Refusals',
  many: 'Refusals',
  tag: 'Usage',
  description: 'Calls that were refused, counted by the hour.',
})
class RefusalsController {
  constructor(private readonly refusals: Refusals) {}

  @Get('', {
    summary: 'The refused calls, counted by group.',
    description:
      'Counts the calls of known keys that were refused with a 4xx before a provider was called. They have no request ' +
      'record. Calls from an address that the key does not allow are counted as `address_not_allowed`, those of the ' +
      'management API too. A call is counted within 10 s, and for 35 days. A range of more than 31 days is refused, and so is an ' +
      'answer of more than 10,000 rows.',
    permission: 'usage:read',
    scope: 'usage:read',
    query: refusalQuery,
    answer: refusalSummary,
  })
  async get({ caller, query }: Call<{ query: typeof refusalQuery }>) {
    const summary = await this.refusals.summarize(caller, {
      start: query.start,
      end: query.end,
      groupBy: query.group_by,
      projectId: query.project_id,
      apiKeyId: query.api_key_id,
      model: query.model,
      code: query.code,
    });
    return presentRefusals(summary);
  }
}

export const refusals: Collection = {
  controllers: [RefusalsController],
  services: [Refusals],
  stores: [RefusalSummaries],
};
