import { readAhead } from '../../api/use-api';
import { organizationToOpen } from '../../frame/organization-to-open';
import { groupingOf, type Grouping } from './groups';
import { rangeOf, type Period } from './period';
import { groupedView, usageReads, viewOf } from './usage-reads';

interface Search {
  readonly org?: string | undefined;
  readonly period?: Period | undefined;
  readonly group?: Grouping | undefined;
  readonly project?: string | undefined;
  readonly end_user?: string | undefined;
  readonly all?: boolean | undefined;
}

/** Begins what the overview shows first, the most important before the others: a browser has a few connections. */
export function readOverview({ location }: { readonly location: { readonly search: Search } }): void {
  const { org, period = '30d', project, end_user: endUser, all = false } = location.search;
  const organization = organizationToOpen(org);
  if (organization?.permissions.includes('usage:read') !== true) return;
  const nowMs = Date.now();
  const group = groupingOf(location.search.group, endUser);
  const view = viewOf(rangeOf(period, nowMs), { group, project, endUser });
  const grouped = groupedView(view);
  const usage = (init: Parameters<typeof readAhead<'/usage'>>[2]) => {
    readAhead(organization.id, '/usage', init);
  };
  if (group === 'end_user') usage(usageReads.sums(view));
  usage(usageReads.groupSums(grouped, all));
  if (organization.permissions.includes('wallet:read')) {
    readAhead(organization.id, '/wallet', {});
    usage({ params: { query: rangeOf('7d', nowMs).current } });
  }
  usage(usageReads.previousSums(view));
  usage(usageReads.callsOverTime(view));
  usage(usageReads.groupsOverTime(grouped));
}
