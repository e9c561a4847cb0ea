import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../app/pages-of-list';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { PlusIcon } from '../../ui/icons/icons';
import { Result } from '../../ui/states/result';
import { Empty, NoMatch } from '../../ui/states/states';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type AlertRule } from './alert';
import { conditionOf, RuleStateBadge, SeverityBadge } from './badges';
import { alertRuleRoute, alertsRoute } from './route';
import { RuleDialog } from './rule-form';
import { RuleFilters } from './rule-filters';
import styles from './alerts.module.css';
import { text } from './text';
import { formatObserved } from './threshold';

const PAGE_SIZE = 50;
const words = text.rules;

/** What is watched. */
export function RuleList(): ReactElement {
  const { create = false, metric, standing, enabled } = alertsRoute.useSearch();
  const navigate = alertsRoute.useNavigate();
  const canWrite = useCan('alert:write');
  const pages = usePages();
  const query = { metric, state: standing, enabled, limit: PAGE_SIZE, cursor: pages.cursor };
  const rules = useRead('/alert-rules', { params: { query } }, { keepsPrevious: true });
  const isFiltered = [metric, standing, enabled].some((value) => value !== undefined);
  const setCreating = (isOpen: boolean) =>
    void navigate({ search: (before) => ({ ...before, create: isOpen || undefined }), replace: true });
  return (
    <>
      {canWrite && (
        <p className={styles.create}>
          <Button variant="primary" icon={<PlusIcon />} onClick={() => setCreating(true)}>
            {words.create}
          </Button>
        </p>
      )}
      <RuleFilters />
      <Result of={rules} lines={8}>
        {({ data, next_cursor }) => (
          <>
            {data.length > 0 || next_cursor !== null ? (
              <DataTable
                caption={words.caption}
                columns={columns}
                rows={data}
                rowKey={({ id }) => id}
                isStale={rules.isPlaceholderData}
              />
            ) : isFiltered ? (
              <NoMatch what={words.what} onClear={() => void navigate({ search: { tab: 'rules' } })} />
            ) : (
              <Empty title={words.emptyTitle}>{words.empty}</Empty>
            )}
            <Pagination pages={pages} nextCursor={next_cursor} />
          </>
        )}
      </Result>
      {canWrite && <RuleDialog rule={null} isOpen={create} onClose={() => setCreating(false)} />}
    </>
  );
}

const columns: readonly Column<AlertRule>[] = [
  {
    key: 'name',
    header: words.columns.name,
    cell: ({ id, name }) => (
      <Link to={alertRuleRoute.to} params={{ alertRuleId: id }}>
        <Name>{name}</Name>
      </Link>
    ),
  },
  { key: 'condition', header: words.columns.condition, wraps: true, cell: conditionOf },
  { key: 'state', header: words.columns.state, cell: (rule) => <RuleStateBadge of={rule} /> },
  {
    key: 'observed',
    header: words.columns.observed,
    align: 'end',
    cell: ({ metric, observed }) => (observed === null ? words.nothing : formatObserved(metric, observed)),
  },
  {
    key: 'severity',
    header: words.columns.severity,
    cell: ({ severity }) => <SeverityBadge of={severity} />,
  },
  {
    key: 'muted',
    header: words.columns.muted,
    cell: ({ muted_until: until }) => (until === null ? words.no : <Time at={until} />),
  },
];
