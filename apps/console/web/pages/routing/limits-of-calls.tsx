import { type ReactElement, useState } from 'react';
import { parseMoney, plainDollars } from '../../format/money';
import { hasField, type PolicyDocument, type PolicyLevel } from '../../policies/policy';
import { fieldWords, text as policyText } from '../../policies/text';
import { MoneyField } from '../../ui/fields/money-field';
import { NumberField } from '../../ui/fields/number-field';
import { text } from './text';

type CountField =
  | 'max_output_tokens'
  | 'end_user_rate_limit_rpm'
  | 'end_user_rate_limit_tpm'
  | 'rate_limit_rpm'
  | 'rate_limit_tpm';
const rates = [
  'end_user_rate_limit_rpm',
  'end_user_rate_limit_tpm',
  'rate_limit_rpm',
  'rate_limit_tpm',
] as const;

interface LimitsOfCallsProps {
  readonly level: PolicyLevel;
  readonly policy: PolicyDocument;
  readonly onChange: (change: Partial<PolicyDocument>) => void;
}

/** The most that a call may write and cost, and the rates of end users and of the project. */
export function LimitsOfCalls({ level, policy, onChange }: LimitsOfCallsProps): ReactElement {
  const counted = (field: CountField, hint: string) => (
    <NumberField
      key={field}
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
      {rates.filter((field) => hasField(level, field)).map((field) => counted(field, policyText.noLimit))}
    </>
  );
}

function CostOfACall(props: Pick<LimitsOfCallsProps, 'policy' | 'onChange'>): ReactElement {
  const { policy, onChange } = props;
  const { max_cost_nanos: limit } = policy;
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
      hint={policyText.noLimit}
      value={isTyped || limit === null ? typed : plainDollars(limit)}
      onChange={type}
    />
  );
}
