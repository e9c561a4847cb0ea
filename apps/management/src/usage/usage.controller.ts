import { Get, Resource, type Call } from '@svc/platform/api';
import { presentUsage } from './present-usage';
import { Usage } from './usage';
import { usageQuery, usageSummary } from './usage-schema';

@Resource({
  path: 'usage',
  one: 'Usage',
  many: 'Usage',
  tag: 'Usage',
  description: 'What calls have used and cost, summed up by UTC day of their beginning.',
})
export class UsageController {
  constructor(private readonly usage: Usage) {}

  @Get('', {
    summary: 'A usage summary.',
    description:
      'Up to date with every call that has ended: those under way are not in it. Of at most 366 days, and at most ' +
      '10,000 rows: more are refused, not cut.',
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
    });
    return presentUsage(summary);
  }
}
