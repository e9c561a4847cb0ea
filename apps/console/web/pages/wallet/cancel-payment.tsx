import { type ReactElement } from 'react';
import { useWrite } from '../../api/use-api';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog';
import { text } from './text';
import { type Payment } from './wallet';

export interface CancelPaymentProps {
  /** Null while none is to be cancelled. */
  readonly payment: Payment | null;
  readonly onClose: () => void;
}

/** Ends a payment that was not paid. What it says afterwards is what the API answered. */
export function CancelPayment({ payment, onClose }: CancelPaymentProps): ReactElement {
  const words = text.cancel;
  const cancel = useWrite(
    (api, id: string) => api.post('/payments/{payment_id}/cancel', { params: { path: { payment_id: id } } }),
    {
      changes: ['/payments'],
      says: ({ state }) => (state === 'cancelled' ? words.done : words.asked),
    },
  );
  const close = () => {
    cancel.reset();
    onClose();
  };
  const confirm = async () => {
    if (payment !== null && (await cancel.run(payment.id)) !== null) close();
  };
  return (
    <ConfirmDialog
      isOpen={payment !== null}
      onClose={close}
      title={words.title}
      action={words.action}
      isBusy={cancel.isBusy}
      error={cancel.error}
      onConfirm={() => void confirm()}
    >
      <p>{words.body}</p>
    </ConfirmDialog>
  );
}
