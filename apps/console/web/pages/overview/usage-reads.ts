import { type Grouping } from './groups';
import { byDayAlone, type PeriodRange } from './period';

/** How many groups are named: a chart has no more colours. */
export const TOP = 10;

export interface UsageView {
  readonly range: PeriodRange;
  readonly group: Grouping;
  readonly project: string | undefined;
  /** The calls of one end user alone, by the id or the name. */
  readonly endUser: string | undefined;
}

/** The view of calls: of an end user there are sums by day alone. */
export const viewOf = (range: PeriodRange, of: Omit<UsageView, 'range'>): UsageView => ({
  ...of,
  range: of.endUser === undefined ? range : byDayAlone(range),
});

/** The same for their groups. */
export const groupedView = (view: UsageView): UsageView =>
  view.group === 'end_user' ? { ...view, range: byDayAlone(view.range) } : view;

export const filterOf = ({ project, endUser }: UsageView) => ({
  ...(project !== undefined && { project_id: project }),
  ...(endUser !== undefined && { end_user: endUser }),
});
const query = <Query>(parameters: Query) => ({ params: { query: parameters } });

/** Queries of `GET /usage`, for each part of the overview. */
export const usageReads = {
  groupSums: (view: UsageView, isAll: boolean) =>
    query({
      ...view.range.current,
      ...filterOf(view),
      group_by: view.group,
      ...(isAll ? {} : { top: TOP }),
    }),
  sums: (view: UsageView) => query({ ...view.range.current, ...filterOf(view) }),
  previousSums: (view: UsageView) => query({ ...view.range.previous, ...filterOf(view) }),
  groupsOverTime: (view: UsageView) => {
    const groupBy = `${view.range.unit},${view.group}`;
    return query({ ...view.range.current, ...filterOf(view), group_by: groupBy, top: TOP });
  },
  callsOverTime: (view: UsageView) => {
    const include = view.range.isShort ? { include: 'latency' as const } : {};
    return query({ ...view.range.current, ...filterOf(view), group_by: view.range.unit, ...include });
  },
  groupLatencies: (view: UsageView) =>
    query({
      ...view.range.current,
      ...filterOf(view),
      group_by: view.group,
      top: TOP,
      include: 'latency' as const,
    }),
  previousLatencies: (view: UsageView) =>
    query({ ...view.range.previous, ...filterOf(view), include: 'latency' as const }),
};
