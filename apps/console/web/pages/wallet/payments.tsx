import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import { receiptPage } from '../../api/receipt';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { usePages } from '../../browser/pages-of-list';
import { FirstButton } from '../../frame/first-button';
import { useCan, useOrganization } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { Button } from '../../ui/button/button';
import { saveFile } from '../../ui/download';
import { ErrorNote } from '../../ui/states/error-note';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Id } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { CancelPayment } from './cancel-payment';
import { CheckoutLink } from './checkout-link';
import { stateNotes, stateWords, text } from './text';
import { isOpenPayment, type Payment } from './wallet';
import styles from './wallet.module.css';

/** An open payment may be confirmed at any moment after it was begun; later it is seen with the next look. */
const LOOK_EVERY_MS = 3_000;
const SOON_MS = 15 * 60_000;
const words = text.payments;

/** Payments as the provider confirms them, and their receipts. */
export function Payments(): ReactElement {
  const pages = usePages();
  const [isWaiting, setWaiting] = useState(false);
  const payments = useRead(
    '/payments',
    { params: { query: pages.query } },
    { keepsPrevious: true, everyMs: isWaiting && LOOK_EVERY_MS },
  );
  const { data, dataUpdatedAt } = payments;
  const waits =
    data?.data.some(
      (payment) => isOpenPayment(payment) && dataUpdatedAt - Date.parse(payment.created_at) < SOON_MS,
    ) ?? false;
  if (waits !== isWaiting) setWaiting(waits);
  useFreshWallet(isWaiting);
  const [cancelled, setCancelled] = useState<Payment | null>(null);
  const canCancel = useCan('wallet:write');
  return (
    <>
      <PagedTable
        of={payments}
        pages={pages}
        columns={columnsOf(canCancel ? setCancelled : null)}
        words={words}
        firstAction={<FirstButton opens="add" needs="wallet:write" label={words.first} />}
      />
      <CancelPayment payment={cancelled} onClose={() => setCancelled(null)} />
    </>
  );
}

/** Reads the balance again once no payment waits: a confirmed one has changed it. */
function useFreshWallet(isWaiting: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isWaiting) return undefined;
    return () =>
      void queries.invalidateQueries({
        predicate: ({ queryKey: [, path] }) => String(path).startsWith('/wallet'),
      });
  }, [isWaiting, queries]);
}

const tones = {
  created: 'neutral',
  pending: 'accent',
  failed: 'bad',
  expired: 'neutral',
  cancelled: 'neutral',
  review: 'warn',
  dismissed: 'neutral',
  succeeded: 'good',
  partially_refunded: 'neutral',
  refunded: 'neutral',
  disputed: 'bad',
} as const satisfies Readonly<Record<Payment['state'], string>>;

const columnsOf = (onCancel: ((payment: Payment) => void) | null): readonly Column<Payment>[] => [
  { key: 'at', header: words.at, cell: ({ created_at: at }) => <Time at={at} /> },
  { key: 'amount', header: words.amount, align: 'end', cell: amountCell },
  { key: 'state', header: words.state, wraps: true, cell: (payment) => <State of={payment} /> },
  { key: 'receipt', header: words.receipt, cell: (payment) => <Receipt of={payment} /> },
  {
    key: 'actions',
    header: words.actions,
    cell: (payment) =>
      isOpenPayment(payment) ? (
        <span className={styles.actions}>
          <CheckoutLink payment={payment} />
          {onCancel !== null && <Button onClick={() => onCancel(payment)}>{words.cancel}</Button>}
        </span>
      ) : (
        words.noAction
      ),
  },
  { key: 'id', header: words.id, cell: ({ id }) => <Id id={id} isShort /> },
];

function amountCell({ amount_nanos: amount, refunded_nanos: refunded }: Payment): ReactElement {
  return (
    <>
      <Money amount={amount} />
      {refunded > 0n && (
        <small className={styles.note}>
          <Money amount={refunded} /> {words.refunded}
        </small>
      )}
    </>
  );
}

function State({ of: { state, livemode, kind } }: { readonly of: Payment }): ReactElement {
  const note = stateNotes[state];
  return (
    <>
      <Badge tone={tones[state]}>{stateWords[state]}</Badge>{' '}
      {!livemode && <Badge tone="warn">{words.testMode}</Badge>}{' '}
      {kind === 'auto' && <Badge>{words.auto}</Badge>}
      {note !== undefined && <small className={styles.note}>{note}</small>}
    </>
  );
}

/** The receipt of a payment that was ever credited. It is saved as a page to print. */
function Receipt({ of: { id, receipt_number: number } }: { readonly of: Payment }): ReactElement {
  const { id: organizationId } = useOrganization();
  const save = useWrite(() => receiptPage(organizationId, id), { changes: [] });
  if (number === null) return <span className="muted">{words.noReceipt}</span>;
  const run = async () => {
    const page = await save.run(undefined);
    if (page !== null) saveFile(`${words.openReceipt(number)}.html`, 'text/html', page);
  };
  return (
    <>
      <Button
        variant="quiet"
        aria-label={words.download(number)}
        isBusy={save.isBusy}
        onClick={() => void run()}
      >
        {words.openReceipt(number)}
      </Button>
      <ErrorNote error={save.error} />
    </>
  );
}
