import { type ReactElement, useState } from 'react';
import { parseMoney, plainDollars } from '../../format/money';
import { MoneyField } from '../../ui/fields/money-field';
import { NumberField } from '../../ui/fields/number-field';
import { type PolicyDocument } from './policy';
import { fieldWords, text } from './text';

interface LimitsOfCallsProps {
  readonly policy: PolicyDocument;
  readonly onChange: (change: Partial<PolicyDocument>) => void;
}

/** The most that a call may write and cost, and the rates of end users. */
export function LimitsOfCalls({ policy, onChange }: LimitsOfCallsProps): ReactElement {
  const counted = (
    field: 'max_output_tokens' | 'end_user_rate_limit_rpm' | 'end_user_rate_limit_tpm',
    hint: string,
  ) => (
    <NumberField
      name={field}
      label={fieldWords[field]}
      hint={hint}
      min={1}
      value={policy[field]}
      onChange={(count) => onChange({ [field]: count })}
    />
  );
  return (
    <>
      {counted('max_output_tokens', text.outputHint)}
      <CostOfACall {...{ policy, onChange }} />
      {counted('end_user_rate_limit_rpm', text.noLimit)}
      {counted('end_user_rate_limit_tpm', text.noLimit)}
    </>
  );
}

function CostOfACall({ policy: { max_cost_nanos: limit }, onChange }: LimitsOfCallsProps): ReactElement {
  const [typed, setTyped] = useState('');
  const parsed = parseMoney(typed);
  // Another version may have been loaded since.
  const isTyped = 'amount' in parsed ? parsed.amount === limit : typed !== '' || limit === null;
  const type = (next: string) => {
    setTyped(next);
    const read = parseMoney(next);
    if ('amount' in read) onChange({ max_cost_nanos: read.amount });
    else if (read.problem === 'empty') onChange({ max_cost_nanos: null });
  };
  return (
    <MoneyField
      name="max_cost_nanos"
      label={fieldWords.max_cost_nanos}
      hint={text.noLimit}
      value={isTyped || limit === null ? typed : plainDollars(limit)}
      onChange={type}
    />
  );
}
