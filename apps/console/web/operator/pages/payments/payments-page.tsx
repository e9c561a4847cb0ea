import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { usePages } from '../../../browser/pages-of-list';
import { useList } from '../../../frame/use-list';
import { Badge } from '../../../ui/badge/badge';
import { Button } from '../../../ui/button/button';
import { type Column } from '../../../ui/table/data-table';
import { PagedTable } from '../../../ui/table/paged-table';
import { Id } from '../../../ui/text/id';
import { Money } from '../../../ui/text/money';
import { Time } from '../../../ui/text/time';
import { useRead } from '../../api/use-api';
import { Buttons, Choice, Filters, Part } from '../../frame/filters';
import { Page } from '../../frame/page';
import { paymentList, UNASKED } from './list';
import { canBeRefunded, reasonText, shownStates, type Payment } from './payment';
import { RefundPayment } from './refund-payment';
import { ReviewPayment } from './review-payment';
import { stateWords, text } from './text';

const states = [
  ...shownStates.map((value) => ({ value, label: stateWords[value] })),
  { value: 'all' as const, label: text.all },
];
type Act = 'accept' | 'dismiss' | 'refund';

export function PaymentsPage(): ReactElement {
  const list = useList(paymentList);
  const pages = usePages();
  const query = { ...list.query, ...pages.query };
  const payments = useRead('/payments', { params: { query } }, { keepsPrevious: true });
  // The payment stays while its dialog closes, though it may have left the list.
  const [chosen, setChosen] = useState<Payment | null>(null);
  const [act, setAct] = useState<Act | null>(null);
  const choose = (payment: Payment, does: Act) => {
    setChosen(payment);
    setAct(does);
  };
  const dialog = (does: Act) => ({ isOpen: act === does, onClose: () => setAct(null) });
  return (
    <Page title={text.title} subtitle={text.purpose}>
      <Filters>
        <Choice
          label={text.state}
          value={list.search.state ?? UNASKED}
          choices={states}
          onChange={(value) => list.set({ state: value === UNASKED ? undefined : value })}
        />
      </Filters>
      <PagedTable
        of={payments}
        pages={pages}
        lines={8}
        columns={columnsWith(choose)}
        words={text}
        {...list.filtered}
      />
      {chosen !== null && (
        <>
          <ReviewPayment act="accept" payment={chosen} {...dialog('accept')} />
          <ReviewPayment act="dismiss" payment={chosen} {...dialog('dismiss')} />
          <RefundPayment payment={chosen} {...dialog('refund')} />
        </>
      )}
    </Page>
  );
}

const columnsWith = (choose: (payment: Payment, does: Act) => void): readonly Column<Payment>[] => [
  { key: 'id', header: text.columns.id, cell: ({ id }) => <Id id={id} isShort /> },
  {
    key: 'organization',
    header: text.columns.organization,
    cell: ({ organization_id: id }) => <OrganizationLink id={id} />,
  },
  {
    key: 'amount',
    header: text.columns.amount,
    align: 'end',
    cell: ({ amount_nanos: amount, refunded_nanos: refunded, disputed_nanos: disputed }) => (
      <>
        <Money amount={amount} />
        {refunded + disputed > 0n && (
          <Part>
            {text.goneBack} <Money amount={refunded + disputed} />
          </Part>
        )}
      </>
    ),
  },
  {
    key: 'state',
    header: text.columns.state,
    wraps: true,
    cell: ({ state, livemode, review_reason: reason }) => (
      <>
        <Badge tone={state === 'review' || state === 'disputed' ? 'warn' : 'neutral'}>
          {stateWords[state]}
        </Badge>{' '}
        {!livemode && <Badge>{text.test}</Badge>}
        {reason !== null && <Part>{reasonText(reason)}</Part>}
      </>
    ),
  },
  {
    key: 'reference',
    header: text.columns.reference,
    cell: ({ provider_reference: reference }) =>
      reference === null ? text.unknown : <Id id={reference} isShort />,
  },
  { key: 'created', header: text.columns.created, cell: ({ created_at: at }) => <Time at={at} /> },
  {
    key: 'actions',
    header: text.columns.actions,
    cell: (payment) => <Actions payment={payment} choose={(does) => choose(payment, does)} />,
  },
];

const OrganizationLink = ({ id }: { readonly id: string }): ReactElement => (
  <Id
    id={id}
    isShort
    wrap={(short) => (
      <Link to="/organizations/$organizationId" params={{ organizationId: id }}>
        {short}
      </Link>
    )}
  />
);

function Actions({
  payment,
  choose,
}: {
  readonly payment: Payment;
  readonly choose: (does: Act) => void;
}): ReactElement {
  return (
    <Buttons>
      {payment.state === 'review' && (
        <>
          <Button onClick={() => choose('accept')}>{text.accept.open}</Button>
          <Button onClick={() => choose('dismiss')}>{text.dismiss.open}</Button>
        </>
      )}
      {canBeRefunded(payment) && <Button onClick={() => choose('refund')}>{text.refund.open}</Button>}
    </Buttons>
  );
}
