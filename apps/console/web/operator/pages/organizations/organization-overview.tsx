import { type UseQueryResult } from '@tanstack/react-query';
import { type ReactElement } from 'react';
import { usePages } from '../../../browser/pages-of-list';
import { formatCount } from '../../../format/numbers';
import { Facts, Section } from '../../../frame/page';
import { Button } from '../../../ui/button/button';
import { Result } from '../../../ui/states/result';
import { type Column } from '../../../ui/table/data-table';
import { PagedTable } from '../../../ui/table/paged-table';
import { Id, Name } from '../../../ui/text/id';
import { Money } from '../../../ui/text/money';
import { Time } from '../../../ui/text/time';
import { type Schemas, useRead } from '../../api/use-api';
import { Part } from '../../frame/filters';
import { text } from './text';

type Overview = Schemas['OrganizationOverview'];

interface PeopleProps {
  readonly of: UseQueryResult<Overview>;
  readonly onAppoint: () => void;
}

/** Who owns an organization, how many are in it, and what it spends. A dash keeps the place of what is not read yet. */
export function MembersAndSpend({ of, onAppoint }: PeopleProps): ReactElement {
  const { data, error } = of;
  return (
    <Section title={text.people.title} actions={<Button onClick={onAppoint}>{text.appoint.open}</Button>}>
      {data === undefined && error !== null ? (
        <Result of={of}>{() => null}</Result>
      ) : (
        <Facts of={factsOf(data)} />
      )}
    </Section>
  );
}

function factsOf(of: Overview | undefined): readonly (readonly [string, ReactElement | string])[] {
  const words = text.people;
  const unread = '–';
  return [
    [words.owners, of === undefined ? unread : <Owners key="" of={of} />],
    [words.members, of === undefined ? unread : formatCount(of.member_count)],
    [words.week, of === undefined ? unread : <Money key="" amount={of.spend.last_7_days_nanos} />],
    [words.month, of === undefined ? unread : <Money key="" amount={of.spend.last_30_days_nanos} />],
  ];
}

function Owners({ of: { owners, owner_count: count } }: { readonly of: Overview }): ReactElement {
  if (count === 0) return <>{text.people.noOwner}</>;
  return (
    <>
      {owners.map(({ member_id: id, email }) => (
        <Part key={id}>
          <a href={`mailto:${email}`}>
            <Name>{email}</Name>
          </a>
        </Part>
      ))}
      {count > owners.length && <Part>{text.people.more(count - owners.length)}</Part>}
    </>
  );
}

interface CreditGrantsProps {
  readonly organizationId: string;
  readonly onGrant: () => void;
}

/** The credit that the operator gave. It ends the page: what is above it does not move when it is read. */
export function CreditGrants({ organizationId, onGrant }: CreditGrantsProps): ReactElement {
  const pages = usePages();
  const params = { path: { organization_id: organizationId }, query: pages.query };
  const grants = useRead(
    '/organizations/{organization_id}/credit-grants',
    { params },
    { keepsPrevious: true },
  );
  return (
    <Section title={text.grants.caption}>
      <PagedTable
        of={grants}
        pages={pages}
        lines={3}
        columns={columns}
        words={text.grants}
        firstAction={<Button onClick={onGrant}>{text.grants.first}</Button>}
      />
    </Section>
  );
}

const columns: readonly Column<Schemas['CreditGrant']>[] = [
  { key: 'at', header: text.grants.at, cell: ({ created_at: at }) => <Time at={at} /> },
  {
    key: 'amount',
    header: text.grants.amount,
    align: 'end',
    cell: ({ amount_nanos: amount }) => <Money amount={amount} />,
  },
  { key: 'reason', header: text.grants.reason, wraps: true, cell: ({ reason }) => <Name>{reason}</Name> },
  { key: 'id', header: text.grants.id, cell: ({ id }) => <Id id={id} isShort /> },
];
