import { UNNAMED, type Group, type Grouping } from './groups';
import { type UsageView } from './usage-reads';

type Search = Readonly<Record<string, string | undefined>>;

/** The filters of the list of requests that show the calls of the view. */
export const requestsSearch = ({ range, project, endUser }: UsageView): Search => ({
  after: range.current.start,
  before: range.current.end,
  project,
  end_user: endUser,
});

/** Those of them that the error rate counts. */
export const failedRequestsSearch = (view: UsageView): Search => ({
  ...requestsSearch(view),
  failed: 'true',
});

/** The filters of the list of refused calls that show those of the view. */
export const refusalsSearch = ({ range, project }: UsageView): Search => ({
  after: range.current.start,
  before: range.current.end,
  project,
});

/** The slowest of them: those that took at least so many milliseconds. */
export const slowRequestsSearch = (
  view: UsageView,
  of: 'ttft_ms' | 'duration_ms',
  fromMs: number,
): Search => ({
  ...requestsSearch(view),
  [of === 'ttft_ms' ? 'first_token' : 'duration']: String(Math.floor(fromMs)),
});

const parameters: Readonly<Record<Grouping, string>> = {
  model: 'model',
  project: 'project',
  api_key: 'key',
  provider: 'provider',
  end_user: 'end_user',
};

/** The same of one group; null for groups that no filter names. */
export const searchOfGroup = (view: UsageView, group: Group): Search | null =>
  group === 'other' || group.id === null || group.id === UNNAMED
    ? null
    : { ...requestsSearch(view), [parameters[view.group]]: group.id };
