import { type ReactElement, useState } from 'react';
import { formatExactMoney, parseMoney, plainDollars } from '../../../format/money';
import { FormDialog, useFormDialog, useFormDone } from '../../../frame/form-dialog';
import { Facts } from '../../../frame/page';
import { MoneyField } from '../../../ui/fields/money-field';
import { TextField } from '../../../ui/fields/text-field';
import { WarningNote } from '../../../ui/states/notes';
import { Id, Name } from '../../../ui/text/id';
import { Money } from '../../../ui/text/money';
import { useWrite } from '../../api/use-api';
import { ConfirmStep, FirstStep, useTwoSteps } from '../../frame/two-steps';
import { isWholeCents, restOf, type Payment } from './payment';
import { type PaymentDialogProps } from './review-payment';
import { text } from './text';

const words = text.refund;

/** Gives money back, after the exact amount was shown once more. */
export function RefundPayment({ payment, isOpen, onClose }: PaymentDialogProps): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={words.title} description={<p>{words.why}</p>}>
      <RefundForm key={payment.id} payment={payment} />
    </FormDialog>
  );
}

interface Refund {
  readonly amount: bigint;
  readonly reason: string;
}

function problemOf(typed: string, rest: bigint): string | null {
  const parsed = parseMoney(typed);
  if (!('amount' in parsed) || parsed.amount === 0n || !isWholeCents(parsed.amount)) return words.badAmount;
  return parsed.amount > rest ? words.tooMuch : null;
}

function RefundForm({ payment }: { readonly payment: Payment }): ReactElement {
  const rest = restOf(payment);
  const [typedAmount, setTypedAmount] = useState(() => plainDollars(rest));
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const { typed: refund, confirm, goBack, safe } = useTwoSteps<Refund>();
  const cancel = useFormDialog(reason !== '');
  const problem = problemOf(typedAmount, rest);
  const next = () => {
    setTried(true);
    const parsed = parseMoney(typedAmount);
    if (problem === null && 'amount' in parsed && reason.trim() !== '')
      confirm({ amount: parsed.amount, reason: reason.trim() });
  };
  if (refund !== null) return <ConfirmedRefund payment={payment} refund={refund} onBack={goBack} />;
  return (
    <FirstStep safe={safe} onCancel={cancel} onNext={next}>
      <Facts of={[[text.facts.left, <Money key="" amount={rest} as="detail" />]]} />
      <MoneyField
        label={words.amount}
        hint={words.amountHint}
        value={typedAmount}
        problem={isTried ? problem : null}
        onChange={setTypedAmount}
      />
      <TextField
        label={words.reason}
        maxLength={500}
        value={reason}
        problem={isTried && reason.trim() === '' ? words.noReason : null}
        onChange={setReason}
      />
    </FirstStep>
  );
}

function ConfirmedRefund(props: {
  readonly payment: Payment;
  readonly refund: Refund;
  readonly onBack: () => void;
}): ReactElement {
  const { payment, refund, onBack } = props;
  const close = useFormDone();
  const give = useWrite(
    (api, { amount: amount_nanos, reason }: Refund) =>
      api.post('/payments/{payment_id}/refund', {
        params: { path: { payment_id: payment.id } },
        body: { amount_nanos, reason },
      }),
    { changes: ['/payments', '/organizations'], says: words.done },
  );
  const submit = async () => {
    if ((await give.run(refund)) !== null) close();
  };
  return (
    <ConfirmStep
      title={words.confirmTitle}
      action={words.action(formatExactMoney(refund.amount))}
      isDanger
      write={give}
      onBack={onBack}
      onConfirm={() => void submit()}
      facts={[
        [words.amount, <Money key="" amount={refund.amount} as="detail" />],
        [text.facts.id, <Id key="" id={payment.id} />],
        [text.facts.organization, <Id key="" id={payment.organization_id} />],
        [words.reason, <Name key="">{refund.reason}</Name>],
      ]}
    >
      {give.error !== null && <WarningNote>{words.lost}</WarningNote>}
    </ConfirmStep>
  );
}
