import { type ReactElement, useState } from 'react';
import { formatExactMoney, parseMoney } from '../../../format/money';
import { FormDialog, useFormDialog, useFormDone } from '../../../frame/form-dialog';
import { MoneyField } from '../../../ui/fields/money-field';
import { TextField } from '../../../ui/fields/text-field';
import { Note } from '../../../ui/states/notes';
import { Id, Name } from '../../../ui/text/id';
import { Money } from '../../../ui/text/money';
import { type Schemas, useWrite } from '../../api/use-api';
import { ConfirmStep, FirstStep, useTwoSteps } from '../../frame/two-steps';
import { text } from './text';

const words = text.grant;

interface GrantCreditProps {
  readonly organization: Schemas['PlatformOrganization'];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Gives credit, after the exact amount was shown once more. */
export function GrantCredit({ organization, isOpen, onClose }: GrantCreditProps): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={words.title}>
      <GrantForm organization={organization} />
    </FormDialog>
  );
}

interface Grant {
  readonly amount: bigint;
  readonly reason: string;
  /** One for all tries of the form. A try whose answer was lost grants nothing twice: not even with another amount. */
  readonly key: string;
}

function GrantForm({ organization }: Pick<GrantCreditProps, 'organization'>): ReactElement {
  const [typedAmount, setTypedAmount] = useState('');
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const [key] = useState(() => crypto.randomUUID());
  const { typed: grant, confirm, goBack, safe } = useTwoSteps<Grant>();
  const cancel = useFormDialog(typedAmount !== '' || reason !== '');
  const parsed = parseMoney(typedAmount);
  const amount = 'amount' in parsed && parsed.amount > 0n ? parsed.amount : null;
  const isMissing = isTried && amount === null && ('amount' in parsed || parsed.problem === 'empty');
  const next = () => {
    setTried(true);
    if (amount !== null && reason.trim() !== '') confirm({ amount, reason: reason.trim(), key });
  };
  if (grant !== null) return <ConfirmedGrant organization={organization} grant={grant} onBack={goBack} />;
  return (
    <FirstStep safe={safe} onCancel={cancel} onNext={next}>
      <MoneyField
        label={words.amount}
        hint={words.amountHint}
        value={typedAmount}
        problem={isMissing ? words.noAmount : null}
        onChange={setTypedAmount}
      />
      <TextField
        label={words.reason}
        hint={words.reasonHint}
        maxLength={500}
        value={reason}
        problem={isTried && reason.trim() === '' ? words.noReason : null}
        onChange={setReason}
      />
    </FirstStep>
  );
}

function ConfirmedGrant(props: {
  readonly organization: Schemas['PlatformOrganization'];
  readonly grant: Grant;
  readonly onBack: () => void;
}): ReactElement {
  const { organization, grant, onBack } = props;
  const { amount, reason, key } = grant;
  const close = useFormDone();
  const exact = formatExactMoney(amount);
  const give = useWrite(
    (api, { amount: amount_nanos }: Grant) =>
      api.post('/organizations/{organization_id}/credit-grants', {
        params: { path: { organization_id: organization.id }, header: { 'Idempotency-Key': key } },
        body: { amount_nanos, reason },
      }),
    { changes: ['/organizations'], says: words.done(exact) },
  );
  const submit = async () => {
    if ((await give.run(grant)) !== null) close();
  };
  return (
    <ConfirmStep
      title={words.confirmTitle}
      action={words.action(exact)}

      write={give}
      onBack={onBack}
      onConfirm={() => void submit()}
      facts={[
        [words.amount, <Money key="" amount={amount} as="detail" />],
        [words.to, <Name key="">{organization.name}</Name>],
        [text.one.id, <Id key="" id={organization.id} />],
        [words.reason, <Name key="">{reason}</Name>],
        [words.key, <Id key="" id={key} />],
      ]}
    >
      <Note>{words.once}</Note>
    </ConfirmStep>
  );
}
