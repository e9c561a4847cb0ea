import { type UseQueryResult } from '@tanstack/react-query';
import { type ReactElement } from 'react';
import { type components } from '../../../api/generated/management';
import { pageOf, usePages } from '../../../browser/pages-of-list';
import { formatCount, formatPercent } from '../../../format/numbers';
import { Section } from '../../../frame/page';
import { Button } from '../../../ui/button/button';
import { Result } from '../../../ui/states/result';
import { DataTable } from '../../../ui/table/data-table';
import { FooterRow } from '../../../ui/table/footer-row';
import { Pagination } from '../../../ui/table/pagination';
import { Money } from '../../../ui/text/money';
import { CsvButton } from './csv-button';
import { cachedShare } from './group-sums';
import { shareText, useGroupColumns } from './group-columns';
import { groupKey, groupOf, type UsageRow, type UsageTotal } from '../groups';
import styles from '../overview.module.css';
import { type Period } from '../period';
import { overviewRoute } from '../route';
import { text } from './text';
import { TOP, type UsageView } from '../usage-reads';

type Usage = components['schemas']['Usage'];

interface GroupsTableProps {
  readonly sums: UseQueryResult<Usage>;
  readonly view: UsageView;
  readonly period: Period;
  readonly isAll: boolean;
}

/** The groups, the most expensive first: ten and the others, or all of them by pages. */
export function GroupsTable({ sums, view, period, isAll }: GroupsTableProps): ReactElement {
  const navigate = overviewRoute.useNavigate();
  const title = text.table.title(text.groups[view.group]);
  const canShowAll = isAll || sums.data?.data.some(({ other }) => other === true);
  const actions = (
    <div className={styles.actions}>
      {canShowAll && (
        <Button
          onClick={() =>
            void navigate({
              search: (before) => ({ ...before, all: isAll ? undefined : true }),
              resetScroll: false,
            })
          }
        >
          {isAll ? text.table.showTop : text.table.showAll}
        </Button>
      )}
      <CsvButton view={view} period={period} />
    </div>
  );
  return (
    <Section title={title} actions={actions}>
      <Result of={sums} lines={TOP}>
        {({ data, total }) =>
          data.length === 0 ? (
            <p className="muted">{view.group === 'end_user' ? text.endUsers.nothing : text.table.nothing}</p>
          ) : (
            <Groups
              rows={data}
              total={total}
              view={view}
              caption={text.table.caption(text.groups[view.group])}
              isStale={sums.isPlaceholderData}
            />
          )
        }
      </Result>
    </Section>
  );
}

interface GroupsProps {
  readonly rows: readonly UsageRow[];
  readonly total: UsageTotal;
  readonly view: UsageView;
  readonly caption: string;
  readonly isStale: boolean;
}

function Groups({ rows, total, view, caption, isStale }: GroupsProps): ReactElement {
  const pages = usePages();
  const shown = pageOf(rows, pages);
  const columns = useGroupColumns(shown.rows, view, total);
  return (
    <>
      <DataTable
        caption={caption}
        columns={columns}
        rows={shown.rows}
        rowKey={(row) => groupKey(groupOf(row, view.group))}
        isStale={isStale}
        footer={<Total total={total} view={view} />}
      />
      {view.group === 'end_user' && <p className={styles.small}>{text.endUsers.note}</p>}
      <Pagination pages={pages} nextCursor={shown.nextCursor} />
    </>
  );
}

function Total({ total, view }: Pick<GroupsProps, 'total' | 'view'>): ReactElement {
  const words = text.table;
  const { requests, failed, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens } = total;
  return (
    <FooterRow
      label={view.group === 'end_user' ? text.endUsers.total : text.total}
      cells={[
        [words.spend, <Money key="spend" amount={total.customer_nanos} as="exact" />],
        null,
        [words.calls, formatCount(requests)],
        [words.failed, requests === 0 ? '–' : formatPercent(failed / requests)],
        [words.input, formatCount(input_tokens + cached_input_tokens + cache_write_tokens)],
        [words.cached, shareText(cachedShare(total))],
        [words.output, formatCount(output_tokens)],
        ...(view.range.isShort ? [null, null] : []),
      ]}
    />
  );
}
