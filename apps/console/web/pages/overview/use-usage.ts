import { useRead } from '../../api/use-api';
import { type Grouping } from './groups';
import { type PeriodRange } from './period';

/** How many groups are named: a chart has no more colours. */
export const TOP = 10;

export interface UsageView {
  readonly range: PeriodRange;
  readonly group: Grouping;
  readonly project: string | undefined;
}

const filterOf = ({ project }: UsageView) => (project === undefined ? {} : { project_id: project });

/** The groups of the period with their sums, and the sums of all of them, exact: of the days on which calls began. */
export const useGroupSums = (view: UsageView, isAll: boolean) =>
  useRead(
    '/usage',
    {
      params: {
        query: {
          ...view.range.current,
          ...filterOf(view),
          group_by: view.group,
          ...(isAll ? {} : { top: TOP }),
        },
      },
    },
    { keepsPrevious: true },
  );

/** The sums of the period before. */
export const usePreviousSums = (view: UsageView) =>
  useRead('/usage', { params: { query: { ...view.range.previous, ...filterOf(view) } } });

/** The groups at each day or hour. */
export const useGroupsOverTime = (view: UsageView) => {
  const { range, group } = view;
  const query = { ...range.current, ...filterOf(view), group_by: `${range.unit},${group}`, top: TOP };
  return useRead('/usage', { params: { query } }, { keepsPrevious: true });
};

/** Calls at each day or hour, with their latencies where those are answered for the period. */
export const useCallsOverTime = (view: UsageView) => {
  const { range } = view;
  const include = range.isShort ? { include: 'latency' as const } : {};
  const query = { ...range.current, ...filterOf(view), group_by: range.unit, ...include };
  return useRead('/usage', { params: { query } }, { keepsPrevious: true });
};

/** The latencies of the most expensive groups. */
export const useGroupLatencies = (view: UsageView) => {
  const { range, group } = view;
  const query = {
    ...range.current,
    ...filterOf(view),
    group_by: group,
    top: TOP,
    include: 'latency' as const,
  };
  return useRead('/usage', { params: { query } }, { enabled: range.isShort });
};

/** The latencies of the period before, where they are still kept. */
export const usePreviousLatencies = (view: UsageView) => {
  const query = { ...view.range.previous, ...filterOf(view), include: 'latency' as const };
  return useRead('/usage', { params: { query } }, { enabled: view.range.hasPreviousLatency });
};

/** The calls that were refused before any provider was asked, by the code of their error. */
export const useRefusals = (view: UsageView) => {
  const query = { ...view.range.current, ...filterOf(view), group_by: 'code' };
  return useRead('/usage/refusals', { params: { query } }, { enabled: view.range.isShort });
};
