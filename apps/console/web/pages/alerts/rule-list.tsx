import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { type NamesById } from '../../api/use-names';
import { useOpened } from '../../browser/opened';
import { usePages } from '../../browser/pages-of-list';
import { FirstButton } from '../../frame/first-button';
import { useList } from '../../frame/use-list';
import { useCan } from '../../session/organization';
import { AddButton } from '../../ui/button/add-button';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type AlertRule } from './alert';
import styles from './alerts.module.css';
import { conditionOf, RuleStateBadge, SeverityBadge } from './badges';
import { ruleList } from './list';
import { READ_AGAIN_MS } from './read-again';
import { alertRuleRoute } from './route';
import { RuleFilters } from './rule-filters';
import { RuleDialog } from './rule-form';
import { text } from './text';
import { formatObserved } from './threshold';
import { useWatchedNames, WatchedScope } from './watched';

const words = text.rules;

/** Alert rules, newest first. */
export function RuleList(): ReactElement {
  const list = useList(ruleList);
  const canWrite = useCan('alert:write');
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const rules = useRead(
    '/alert-rules',
    { params: { query } },
    { keepsPrevious: true, everyMs: READ_AGAIN_MS },
  );
  const names = useWatchedNames(rules.data?.data ?? []);
  const creating = useOpened('create');
  return (
    <>
      {canWrite && (
        <p className={styles.create}>
          <AddButton onClick={creating.open}>{words.create}</AddButton>
        </p>
      )}
      <RuleFilters />
      <PagedTable
        of={rules}
        pages={pages}
        lines={8}
        columns={columnsWith(names)}
        words={words}
        {...list.filtered}
        firstAction={<FirstButton opens="create" needs="alert:write" label={words.first} />}
      />
      {canWrite && <RuleDialog rule={null} {...creating.dialog} />}
    </>
  );
}

const columnsWith = (names: NamesById): readonly Column<AlertRule>[] => [
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
  {
    key: 'scope',
    header: words.columns.scope,
    wraps: true,
    cell: (rule) => <WatchedScope rule={rule} names={names} />,
  },
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
