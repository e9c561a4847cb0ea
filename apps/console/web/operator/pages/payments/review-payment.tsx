import { type ReactElement } from 'react';
import { formatExactMoney } from '../../../format/money';
import { ConfirmWrite } from '../../../frame/confirm-write';
import { Facts } from '../../../frame/page';
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

/** Credits the wallet, after the exact amount was shown, or closes the payment without. */
export function ReviewPayment(
  props: PaymentDialogProps & { readonly act: 'accept' | 'dismiss' },
): ReactElement {
  const { payment, act, isOpen, onClose } = props;
  const isAccepted = act === 'accept';
  const params = { path: { payment_id: payment.id } };
  const review = useWrite((api: OperatorApi) => api.post(`/payments/{payment_id}/${act}`, { params }), {
    changes: ['/payments', '/organizations'],
    says: text[act].done,
  });
  const credit = text.accept.action(formatExactMoney(payment.amount_nanos));
  return (
    <ConfirmWrite
      write={review}
      isOpen={isOpen}
      onClose={onClose}
      words={isAccepted ? { ...text.accept, action: credit } : text.dismiss}
      isDanger={!isAccepted}
    >
      <PaymentFacts of={payment} />
      {isAccepted && <p>{text.accept.look}</p>}
    </ConfirmWrite>
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
