import { type ReactElement } from 'react';
import { Facts } from '../../../app/page';
import { formatExactMoney } from '../../../format/money';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog';
import { Id } from '../../../ui/text/id';
import { Money } from '../../../ui/text/money';
import { useWrite, type OperatorApi } from '../../api/use-api';
import { reasonText, type Payment } from './payment';
import { text } from './text';

export interface PaymentDialogProps {
  readonly payment: Payment;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const CHANGED = ['/payments', '/organizations'];

/** Credits the wallet, after the exact amount was shown. */
export function AcceptPayment({ payment, isOpen, onClose }: PaymentDialogProps): ReactElement {
  const params = { path: { payment_id: payment.id } };
  const accept = useWrite((api: OperatorApi) => api.post('/payments/{payment_id}/accept', { params }), {
    changes: CHANGED,
    says: text.accept.done,
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={text.accept.title}
      action={text.accept.action(formatExactMoney(payment.amount_nanos))}
      isDanger={false}
      isBusy={accept.isBusy}
      error={accept.error}
      onConfirm={() => void accept.run(undefined).then((done) => done !== null && onClose())}
    >
      <p>{text.accept.effect}</p>
      <PaymentFacts of={payment} />
      <p>{text.accept.look}</p>
    </ConfirmDialog>
  );
}

export function DismissPayment({ payment, isOpen, onClose }: PaymentDialogProps): ReactElement {
  const params = { path: { payment_id: payment.id } };
  const dismiss = useWrite((api: OperatorApi) => api.post('/payments/{payment_id}/dismiss', { params }), {
    changes: CHANGED,
    says: text.dismiss.done,
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={text.dismiss.title}
      action={text.dismiss.action}
      isBusy={dismiss.isBusy}
      error={dismiss.error}
      onConfirm={() => void dismiss.run(undefined).then((done) => done !== null && onClose())}
    >
      <p>{text.dismiss.effect}</p>
      <PaymentFacts of={payment} />
    </ConfirmDialog>
  );
}

function PaymentFacts({ of }: { readonly of: Payment }): ReactElement {
  const words = text.facts;
  return (
    <Facts
      of={[
        [words.amount, <Money key="" amount={of.amount_nanos} as="detail" />],
        [words.why, reasonText(of.review_reason)],
        [words.organization, <Id key="" id={of.organization_id} />],
        [
          words.reference,
          of.provider_reference === null ? text.unknown : <Id key="" id={of.provider_reference} />,
        ],
        [words.id, <Id key="" id={of.id} />],
      ]}
    />
  );
}
