import { visibleText } from '../../format/visible-text';
import { roleLabel } from '../../session/roles';
import { Badge } from '../../ui/badge/badge';
import { Button } from '../../ui/button/button';
import { type Column } from '../../ui/table/data-table';
import { Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { type ApprovalPolicy } from './approval';
import { text } from './text';

interface Handlers {
  readonly onChange: (policy: ApprovalPolicy) => void;
  readonly onRemove: (policy: ApprovalPolicy) => void;
}

/** The columns of the policies; what changes one is there for those who may. */
export function policyColumns(handlers: Handlers | null): readonly Column<ApprovalPolicy>[] {
  const words = text.policies;
  const headers = words.columns;
  return [
    nameColumn(handlers),
    {
      key: 'actions',
      header: headers.actions,
      wraps: true,
      cell: ({ actions }) => <code>{visibleText(actions.join(', '))}</code>,
    },
    {
      key: 'above',
      header: headers.above,
      align: 'end',
      cell: ({ amount_above_nanos: above }) => (above === null ? words.any : <Money amount={above} />),
    },
    {
      key: 'approvers',
      header: headers.approvers,
      wraps: true,
      cell: (policy) => words.approvers(policy, policy.approvers.roles.map(roleLabel)),
    },
    {
      key: 'required',
      header: headers.required,
      align: 'end',
      cell: ({ required_approvals: required }) => required,
    },
    {
      key: 'expires',
      header: headers.expires,
      cell: ({ expires_after_seconds: seconds }) => words.after(seconds),
    },
    {
      key: 'state',
      header: headers.state,
      cell: ({ enabled, degraded }) => (
        <>
          <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? words.on : words.off}</Badge>{' '}
          {degraded && <Badge tone="warn">{words.degraded}</Badge>}
        </>
      ),
    },
    ...(handlers === null ? [] : [removeColumn(handlers)]),
  ];
}

const nameColumn = (handlers: Handlers | null): Column<ApprovalPolicy> => ({
  key: 'name',
  header: text.policies.columns.name,
  cell: (policy) =>
    handlers === null ? (
      <Name>{policy.name}</Name>
    ) : (
      <Button variant="quiet" onClick={() => handlers.onChange(policy)}>
        <Name>{policy.name}</Name>
      </Button>
    ),
});

const removeColumn = ({ onRemove }: Handlers): Column<ApprovalPolicy> => ({
  key: 'delete',
  header: text.remove.action,
  cell: (policy) => (
    <Button
      variant="quiet"
      aria-label={`${text.remove.action} ${visibleText(policy.name)}`}
      onClick={() => onRemove(policy)}
    >
      {text.remove.short}
    </Button>
  ),
});
