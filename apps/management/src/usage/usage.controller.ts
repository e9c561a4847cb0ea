import { Get, Resource, type Call } from '@svc/api';
import { UsageStore } from '@svc/persistence';
import { type Collection } from '../collection';
import { Usage } from './usage';
import { presentUsage, usageQuery, usageSummary } from './usage-schema';

@Resource({
  path: 'usage',
  one: 'Usage',
  many: 'Usage',
  tag: 'Usage',
  description: 'Tokens and cost of calls, summed by the UTC day on which a call began.',
})
class UsageController {
  constructor(private readonly usage: Usage) {}

  @Get('', {
    summary: 'The usage, summed by group.',
    description:
      'Includes every call that has ended, and none in flight. A range of more than 366 days is refused, and so is an ' +
      'answer of more than 10,000 rows.',
    permission: 'usage:read',
    scope: 'usage:read',
    query: usageQuery,
    answer: usageSummary,
  })
  async get({ caller, query }: Call<{ query: typeof usageQuery }>) {
    const summary = await this.usage.summarize(caller, {
      start: query.start,
      end: query.end,
      groupBy: query.group_by,
      projectId: query.project_id,
      apiKeyId: query.api_key_id,
      model: query.model,
      provider: query.provider,
      tag: query.tag,
    });
    return presentUsage(summary);
  }
}

export const usage: Collection = {
  controllers: [UsageController],
  services: [Usage],
  stores: [UsageStore],
};
