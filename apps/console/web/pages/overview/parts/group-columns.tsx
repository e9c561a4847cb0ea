import { type ReactElement, type ReactNode } from 'react';
import { failedMeans } from '../../../calls/outcome-words';
import { PageLink } from '../../../ui/page-link';
import { formatCount, formatDuration, formatPercent } from '../../../format/numbers';
import { type Column } from '../../../ui/table/data-table';
import { Id, Name } from '../../../ui/text/id';
import { Money } from '../../../ui/text/money';
import { groupKey, groupOf, type Group, type Grouping, type UsageRow, type UsageTotal } from '../groups';
import { searchOfGroup } from '../requests-search';
import { cachedShare, shareOf } from './group-sums';
import { text } from './text';
import { useGroupNames } from './use-group-names';
import { type UsageView } from '../usage-reads';
import { useGroupLatencies } from '../use-usage';

/** The columns of the groups: their names, their sums, and where the period has them, their latencies. */
export function useGroupColumns(
  rows: readonly UsageRow[],
  view: UsageView,
  total: UsageTotal,
): readonly Column<UsageRow>[] {
  const by = view.group;
  const nameOf = useGroupNames(
    rows.map((row) => groupOf(row, by)),
    by,
  );
  const latencies = useLatencyColumns(view);
  const name: Column<UsageRow> = {
    key: 'group',
    header: text.groups[by].one,
    cell: (row) => {
      const group = groupOf(row, by);
      return <GroupName group={group} name={nameOf(group)} by={by} search={searchOfGroup(view, group)} />;
    },
  };
  return [name, ...sumColumns(total), ...latencies];
}

interface GroupNameProps {
  readonly group: Group;
  readonly name: string;
  readonly by: Grouping;
  /** The filters that show its calls; null where there are none. */
  readonly search: ReturnType<typeof searchOfGroup>;
}

/** A name with a link to the calls. An end user has the id beside it, or alone: names are not kept for all. */
function GroupName({ group, name, by, search }: GroupNameProps): ReactElement {
  const linked = (shown: ReactNode) =>
    search === null ? shown : <PageLink {...{ to: '/requests', search }}>{shown}</PageLink>;
  const named = linked(<Name>{name}</Name>);
  if (by !== 'end_user' || search === null || group === 'other') return <>{named}</>;
  const id = group.id ?? '';
  if (group.name === undefined) return <Id id={id} isShort wrap={linked} />;
  return (
    <>
      {named} <Id id={id} isShort />
    </>
  );
}

const words = text.table;

const sumColumns = (total: UsageTotal): readonly Column<UsageRow>[] => [
  {
    key: 'spend',
    header: words.spend,
    align: 'end',
    cell: ({ customer_nanos }) => <Money amount={customer_nanos} />,
  },
  {
    key: 'share',
    header: words.share,
    align: 'end',
    cell: ({ customer_nanos }) => <Share of={shareOf(customer_nanos, total.customer_nanos)} />,
  },
  { key: 'calls', header: words.calls, align: 'end', cell: ({ requests }) => formatCount(requests) },
  {
    key: 'failed',
    header: words.failed,
    hint: failedMeans,
    align: 'end',
    cell: ({ failed, requests }) => (requests === 0 ? '–' : formatPercent(failed / requests)),
  },
  {
    key: 'input',
    header: words.input,
    hint: words.inputHint,
    align: 'end',
    cell: ({ input_tokens, cached_input_tokens, cache_write_tokens }) =>
      formatCount(input_tokens + cached_input_tokens + cache_write_tokens),
  },
  {
    key: 'cached',
    header: words.cached,
    hint: words.cachedHint,
    align: 'end',
    cell: (row) => shareText(cachedShare(row)),
  },
  {
    key: 'output',
    header: words.output,
    align: 'end',
    cell: ({ output_tokens }) => formatCount(output_tokens),
  },
];

/** Latencies are read for the most expensive groups; others show a dash. */
function useLatencyColumns(view: UsageView): readonly Column<UsageRow>[] {
  const latencies = useGroupLatencies(view).data?.data ?? [];
  if (!view.range.isShort) return [];
  const keyOf = (row: UsageRow) => groupKey(groupOf(row, view.group));
  const timed = new Map(latencies.map((row) => [keyOf(row), row]));
  const times = (of: 'ttft_ms' | 'duration_ms') => (row: UsageRow) => timesText(timed.get(keyOf(row))?.[of]);
  return [
    { key: 'ttft', header: words.firstToken, hint: words.timesHint, align: 'end', cell: times('ttft_ms') },
    {
      key: 'duration',
      header: words.duration,
      hint: words.timesHint,
      align: 'end',
      cell: times('duration_ms'),
    },
  ];
}

const timesText = (times: UsageRow['ttft_ms']): string =>
  times ? `${formatDuration(times.p50)} / ${formatDuration(times.p95)}` : '–';

export const shareText = (share: number | null): string => (share === null ? '–' : formatPercent(share));

function Share({ of }: { readonly of: number }): ReactElement {
  return <span className="muted">{formatPercent(of)}</span>;
}
