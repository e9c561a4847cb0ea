import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useOpened } from '../../../browser/opened';
import { usePages } from '../../../browser/pages-of-list';
import { useList } from '../../../frame/use-list';
import { Badge } from '../../../ui/badge/badge';
import { AddButton } from '../../../ui/button/add-button';
import { Button } from '../../../ui/button/button';
import { Segmented } from '../../../ui/segmented/segmented';
import { type Column } from '../../../ui/table/data-table';
import { PagedTable } from '../../../ui/table/paged-table';
import { Id, Name } from '../../../ui/text/id';
import { Money } from '../../../ui/text/money';
import { Time } from '../../../ui/text/time';
import { type Schemas, useRead } from '../../api/use-api';
import { Filters, withAll } from '../../frame/filters';
import { Page } from '../../frame/page';
import { SearchField } from '../../frame/search-field';
import { CreateOrganization } from './create-organization';
import { organizationList } from './list';
import { ResetPassword } from './reset-password';
import { organizationRoute } from './route';
import { stateWords, text } from './text';

type Organization = Schemas['PlatformOrganization'];

const states = withAll(text.all, organizationList.filters.state, stateWords);

export function OrganizationsPage(): ReactElement {
  const list = useList(organizationList);
  const { q, state } = list.search;
  const [isResetting, setResetting] = useState(false);
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const organizations = useRead('/organizations', { params: { query } }, { keepsPrevious: true });
  const creating = useOpened('create');
  return (
    <Page
      title={text.title}
      subtitle={text.purpose}
      actions={
        <>
          <Button onClick={() => setResetting(true)}>{text.resetPassword}</Button>
          <AddButton onClick={creating.open}>{text.create}</AddButton>
        </>
      }
    >
      <Filters>
        <SearchField label={text.search} value={q} onSearch={(words) => list.set({ q: words })} />
        <Segmented
          label={text.state}
          value={state ?? 'all'}
          choices={states}
          onChange={(value) => list.set({ state: value === 'all' ? undefined : value })}
        />
      </Filters>
      <PagedTable
        of={organizations}
        pages={pages}
        lines={10}
        columns={columns}
        words={text}
        {...list.filtered}
      />
      <CreateOrganization {...creating.dialog} />
      <ResetPassword isOpen={isResetting} onClose={() => setResetting(false)} />
    </Page>
  );
}

const columns: readonly Column<Organization>[] = [
  {
    key: 'name',
    header: text.columns.name,
    wraps: true,
    cell: ({ id, name }) => (
      <Link to={organizationRoute.to} params={{ organizationId: id }}>
        <Name>{name}</Name>
      </Link>
    ),
  },
  { key: 'id', header: text.columns.id, cell: ({ id }) => <Id id={id} isShort /> },
  { key: 'state', header: text.columns.state, cell: ({ state }) => <StateBadge state={state} /> },
  {
    key: 'available',
    header: text.columns.available,
    align: 'end',
    cell: ({ wallet }) => <Money amount={wallet.available_nanos} />,
  },
  {
    key: 'balance',
    header: text.columns.balance,
    align: 'end',
    cell: ({ wallet }) => <Money amount={wallet.balance_nanos} />,
  },
  { key: 'created', header: text.columns.created, cell: ({ created_at: at }) => <Time at={at} /> },
];

export const StateBadge = ({ state }: Pick<Organization, 'state'>): ReactElement => (
  <Badge tone={state === 'active' ? 'good' : 'bad'}>{stateWords[state]}</Badge>
);
