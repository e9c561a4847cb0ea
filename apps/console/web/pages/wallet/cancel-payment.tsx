import { type ReactElement } from 'react';
import { useWrite } from '../../api/use-write';
import { ConfirmWrite } from '../../frame/confirm-write';
import { text } from './text';
import { type Payment } from './wallet';

interface CancelPaymentProps {
  /** Null while none is to be cancelled. */
  readonly payment: Payment | null;
  readonly onClose: () => void;
}

/** Ends a payment that was not paid. What it says afterwards is what the API answered. */
export function CancelPayment({ payment, onClose }: CancelPaymentProps): ReactElement {
  const words = text.cancel;
  const cancel = useWrite(
    (api, { id }: Payment) =>
      api.post('/payments/{payment_id}/cancel', { params: { path: { payment_id: id } } }),
    {
      changes: ['/payments'],
      says: ({ state }) => (state === 'cancelled' ? words.done : words.asked),
    },
  );
  return <ConfirmWrite write={cancel} input={payment} onClose={onClose} words={words} />;
}
