import { useRead } from '../../api/use-api';
import { isOnlyToday, todayByHour } from './period';
import { usageReads, type UsageView } from './usage-reads';

/** The groups of the period with their sums, and the sums of all of them, exact: of the days on which calls began. */
export const useGroupSums = (view: UsageView, isAll: boolean) =>
  useRead('/usage', usageReads.groupSums(view, isAll), { keepsPrevious: true });

export type GroupSums = ReturnType<typeof useGroupSums>;

/** The sums of all calls; those of the groups are of calls with an end user, where they are grouped by that. */
export const useSums = (view: UsageView, enabled: boolean) =>
  useRead('/usage', usageReads.sums(view), { enabled, keepsPrevious: true });

/** The sums of the period before. */
export const usePreviousSums = (view: UsageView) => useRead('/usage', usageReads.previousSums(view));

/** The groups at each day or hour. */
export const useGroupsOverTime = (view: UsageView) =>
  useRead('/usage', usageReads.groupsOverTime(view), { keepsPrevious: true });

/** Calls at each day or hour, with their latencies where those are answered for the period. */
export const useCallsOverTime = (view: UsageView) =>
  useRead('/usage', usageReads.callsOverTime(view), { keepsPrevious: true });

/**
 * The usage that charts show of the view: where today alone of its days has calls, today by hour. One bar in a chart of 30
 * days says nothing. Hours are summed a minute later than days, and end users by day alone: those stay as they are.
 */
export function useChartView(view: UsageView): UsageView {
  const days = useCallsOverTime(view);
  const isOfToday =
    view.endUser === undefined &&
    days.data !== undefined &&
    !days.isPlaceholderData &&
    isOnlyToday(view.range, days.data.data);
  const hourly = { ...view, range: todayByHour(view.range) };
  const hours = useRead('/usage', usageReads.callsOverTime(hourly), { enabled: isOfToday });
  return isOfToday && hours.data !== undefined && hours.data.total.requests > 0 ? hourly : view;
}

/** The latencies of the most expensive groups. */
export const useGroupLatencies = (view: UsageView) =>
  useRead('/usage', usageReads.groupLatencies(view), { enabled: view.range.isShort });

/** The latencies of the period before, where they are still kept. */
export const usePreviousLatencies = (view: UsageView) =>
  useRead('/usage', usageReads.previousLatencies(view), { enabled: view.range.hasPreviousLatency });

/** The calls that were refused before any provider was asked, by the code of their error. */
export const useRefusals = ({ range, project }: UsageView) => {
  const query = { ...range.current, ...(project !== undefined && { project_id: project }), group_by: 'code' };
  return useRead('/usage/refusals', { params: { query } }, { enabled: range.isShort });
};
