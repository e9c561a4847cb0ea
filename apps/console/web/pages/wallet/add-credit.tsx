import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useState } from 'react';
import { ApiError } from '../../api/api-error';
import { parseMoney } from '../../format/money';
import { FormDialog } from '../../frame/form-dialog';
import { OperatorContact } from '../../frame/operator-contact';
import { WriteForm } from '../../frame/write-form';
import { Button } from '../../ui/button/button';
import { Dialog } from '../../ui/dialog/dialog';
import { Checkbox } from '../../ui/fields/check-field';
import { MoneyField } from '../../ui/fields/money-field';
import { Note, WarningNote } from '../../ui/states/notes';
import { Money } from '../../ui/text/money';
import { CheckoutLink } from './checkout-link';
import { text } from './text';
import { topUpAmount } from './top-up';
import { useTopUp } from './use-top-up';
import { checkoutOf, type Payment } from './wallet';
import styles from './wallet.module.css';

const PRESETS = ['20', '50', '100', '500'] as const;
const words = text.add;

interface AddCreditProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Begins a payment, and opens the page where it is paid. Nothing is credited here. */
export function AddCredit({ isOpen, onClose }: AddCreditProps): ReactElement {
  const [payment, setPayment] = useState<Payment | null>(null);
  const queries = useQueryClient();
  const close = () => {
    setPayment(null);
    onClose();
    // It was paid on another page, or was not: whatever shows the wallet reads it again.
    void queries.invalidateQueries({
      predicate: ({ queryKey: [, path] }) => String(path).startsWith('/wallet'),
    });
  };
  return (
    <>
      <FormDialog isOpen={isOpen && payment === null} onClose={onClose} title={words.title}>
        <AmountForm onBegun={setPayment} />
      </FormDialog>
      <Dialog
        isOpen={isOpen && payment !== null}
        onClose={close}
        title={words.readyTitle}
        actions={<Button onClick={close}>{words.close}</Button>}
      >
        {payment !== null && <Begun payment={payment} />}
      </Dialog>
    </>
  );
}

function AmountForm({ onBegun }: { readonly onBegun: (payment: Payment) => void }): ReactElement {
  const [typed, setTyped] = useState('');
  const [keepsCard, setKeepsCard] = useState(false);
  const [isTried, setTried] = useState(false);
  const topUp = useTopUp();
  const amount = topUpAmount(typed);
  const begin = async () => {
    setTried(true);
    if (amount === null) return;
    const begun = await topUp.run({ amount, keepsCard });
    if (begun !== null) onBegun(begun.payment);
  };
  const isOff = topUp.error instanceof ApiError && topUp.error.code === 'conflict';
  return (
    <WriteForm
      label={words.title}
      write={topUp}
      isChanged={typed !== '' || keepsCard}
      action={words.submit}
      onSubmit={() => void begin()}
    >
      <MoneyField
        name="amount_nanos"
        label={words.amount}
        hint={words.amountHint}
        value={typed}
        problem={isTried && amount === null && isReadable(typed) ? words.notCents : null}
        onChange={setTyped}
      />
      <div className={styles.presets} role="group" aria-label={words.presets}>
        {PRESETS.map((dollars) => (
          <Button key={dollars} onClick={() => setTyped(dollars)}>
            ${dollars}
          </Button>
        ))}
      </div>
      <Checkbox label={words.keep} note={words.keepHint} isChecked={keepsCard} onChange={setKeepsCard} />
      <Note>{words.note}</Note>
      {isOff && (
        <WarningNote>
          {words.off}
          <OperatorContact />
        </WarningNote>
      )}
    </WriteForm>
  );
}

/** The field itself says what is no amount at all. */
function isReadable(typed: string): boolean {
  const parsed = parseMoney(typed);
  return 'amount' in parsed || parsed.problem === 'empty';
}

/** The page where it is paid opens by itself, in the place of this one, which it leads back to. */
function Begun({ payment }: { readonly payment: Payment }): ReactElement {
  const checkout = checkoutOf(payment.checkout_url, payment.livemode)?.url;
  useEffect(() => {
    if (checkout !== undefined) window.location.assign(checkout);
  }, [checkout]);
  return (
    <div className={styles.begun}>
      {!payment.livemode && <WarningNote>{text.payments.testNote}</WarningNote>}
      <p className={styles.amount}>
        <Money amount={payment.amount_nanos} />
      </p>
      <p>
        <strong>{words.pending}</strong> {words.later}
      </p>
      {payment.checkout_url === null ? <p>{words.noLink}</p> : <CheckoutLink payment={payment} />}
    </div>
  );
}
