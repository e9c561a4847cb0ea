import { Get, Resource, type Call } from '@svc/api';
import { MinuteUsage, UsageStore } from '@svc/usage/store';
import { type Collection } from '../collection';
import { Usage } from './usage';
import { presentUsage, usageQuery, usageSummary } from './usage-schema';

@Resource({
  path: 'usage',
  one: 'Usage',
  many: 'Usage',
  tag: 'Usage',
  description:
    'Tokens and cost of calls, summed by the UTC day on which a call began, or by the hour in which it ended.',
})
class UsageController {
  constructor(private readonly usage: Usage) {}

  @Get('', {
    summary: 'The usage, summed by group.',
    description:
      'Includes every call that has ended, and none in flight. Refused are a range of more than 366 days, or 31 with ' +
      '`group_by=hour` or `include=latency`, and an answer of more than 10,000 rows. Hours and latency come from figures that ' +
      'edges write every 5 s.',
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
      apiKeyIds: query.api_key_id,
      model: query.model,
      provider: query.provider,
      tag: query.tag,
      endUser: query.end_user,
      top: query.top,
      withTimes: query.include === 'latency',
    });
    return presentUsage(summary);
  }
}

export const usage: Collection = {
  controllers: [UsageController],
  services: [Usage],
  stores: [UsageStore, MinuteUsage],
};
