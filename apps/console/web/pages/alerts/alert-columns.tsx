import { Link } from '@tanstack/react-router';
import { type Column } from '../../ui/table/data-table';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type Alert } from './alert';
import { AlertStateBadge, SeverityBadge } from './badges';
import { alertRoute } from './route';
import { text } from './text';
import { formatObserved } from './threshold';

const headers = text.alerts.columns;

export const alertColumns: readonly Column<Alert>[] = [
  {
    key: 'rule',
    header: headers.rule,
    cell: ({ id, rule }) => (
      <Link to={alertRoute.to} params={{ alertId: id }}>
        <Name>{rule.name}</Name>
      </Link>
    ),
  },
  { key: 'state', header: headers.state, cell: (alert) => <AlertStateBadge of={alert} /> },
  { key: 'severity', header: headers.severity, cell: ({ severity }) => <SeverityBadge of={severity} /> },
  {
    key: 'observed',
    header: headers.observed,
    align: 'end',
    cell: ({ rule, observed }) => formatObserved(rule.metric, observed),
  },
  {
    key: 'peak',
    header: headers.peak,
    align: 'end',
    cell: ({ rule, peak }) => formatObserved(rule.metric, peak),
  },
  { key: 'fired', header: headers.fired, cell: ({ fired_at: at }) => <Time at={at} /> },
  {
    key: 'acknowledged',
    header: headers.acknowledged,
    cell: ({ acknowledged_at: at }) => (at === null ? text.alerts.no : <Time at={at} />),
  },
];
