import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../browser/pages-of-list';
import { visibleText } from '../../format/visible-text';
import { useCan } from '../../session/organization';
import { roleLabel } from '../../session/roles';
import { useSession } from '../../session/session-store';
import { Badge } from '../../ui/badge/badge';
import { Switch } from '../../ui/fields/check-field';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type Member } from './member';
import { MemberActions } from './member-actions';
import { membersRoute } from './route';
import { memberStates, text } from './text';

export function MemberList(): ReactElement {
  const { removed = false } = membersRoute.useSearch();
  const navigate = membersRoute.useNavigate();
  const pages = usePages();
  const state = removed ? undefined : ('active' as const);
  const query = { state, ...pages.query };
  const members = useRead('/members', { params: { query } }, { keepsPrevious: true });
  const columns = useColumns();
  const show = (isOn: boolean) =>
    void navigate({ search: (before) => ({ ...before, removed: isOn || undefined }) });
  return (
    <>
      <Switch label={text.showRemoved} isChecked={removed} onChange={show} />
      <PagedTable
        of={members}
        pages={pages}
        columns={columns}
        words={{ ...text, caption: text.tabs.members }}
      />
    </>
  );
}

function useColumns(): readonly Column<Member>[] {
  const canWrite = useCan('member:write');
  const isLastOwner = useIsLastOwner();
  return [
    { key: 'email', header: text.columns.email, cell: (member) => <Address member={member} /> },
    { key: 'role', header: text.columns.role, cell: ({ role }) => roleLabel(role) },
    {
      key: 'state',
      header: text.columns.state,
      cell: ({ state }) => (
        <Badge tone={state === 'active' ? 'good' : 'neutral'}>{memberStates[state]}</Badge>
      ),
    },
    { key: 'since', header: text.columns.since, cell: ({ created_at: at }) => <Time at={at} /> },
    {
      key: 'seen',
      header: text.columns.seen,
      hint: text.hints.seen,
      cell: ({ last_seen_at: at }) => (at === null ? text.never : <Time at={at} />),
    },
    ...(canWrite
      ? [
          {
            key: 'actions',
            header: text.columns.actions,
            cell: (member: Member) => (
              <MemberActions
                member={member}
                isLastOwner={isLastOwner(member)}
                name={visibleText(member.email)}
              />
            ),
          },
        ]
      : []),
  ];
}

function Address({ member: { email, user_id: userId } }: { readonly member: Member }): ReactElement {
  const { user } = useSession();
  return (
    <>
      <Name>{email}</Name> {user.id === userId && <Badge tone="accent">{text.you}</Badge>}
    </>
  );
}

/** Two owners are enough to know that none is the last. While it is not known, the API decides. */
function useIsLastOwner(): (member: Member) => boolean {
  const query = { role: 'owner', state: 'active', limit: 2 } as const;
  const { data } = useRead('/members', { params: { query } });
  const owners = data?.data ?? [];
  return ({ id }) => owners.length === 1 && owners[0]?.id === id;
}
