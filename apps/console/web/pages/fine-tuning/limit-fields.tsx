import { type ReactElement } from 'react';
import { MoneyField } from '../../ui/fields/money-field';
import { NumberField } from '../../ui/fields/number-field';
import { TextField } from '../../ui/fields/text-field';
import { missingLimits, type Limits, type MissingLimit } from './endpoint';
import { endpointText } from './endpoint-text';

const words = endpointText.form;
const IDLE_MAX = 1_440;

interface LimitFieldsProps {
  readonly limits: Limits;
  /** Whether it was tried to send them: then what is missing is named. */
  readonly isTried: boolean;
  readonly onChange: (change: Partial<Limits>) => void;
}

/** When an endpoint stops by itself. */
export function LimitFields({ limits, isTried, onChange }: LimitFieldsProps): ReactElement {
  const missing = missingLimits(limits);
  const problem = (limit: MissingLimit, sentence: string) =>
    isTried && missing.has(limit) ? sentence : null;
  return (
    <>
      <NumberField
        name="idle_stop_minutes"
        label={words.idle}
        hint={words.idleHint}
        min={1}
        max={IDLE_MAX}
        value={limits.idleMinutes}
        problem={problem('idleMinutes', words.noIdle)}
        onChange={(idleMinutes) => onChange({ idleMinutes })}
      />
      <TextField
        name="max_hours"
        label={words.hours}
        hint={words.hoursHint}
        inputMode="decimal"
        value={limits.hours}
        problem={problem('hours', words.noHours)}
        onChange={(hours) => onChange({ hours })}
      />
      <MoneyField
        name="max_spend_nanos"
        label={words.spend}
        hint={words.spendHint}
        value={limits.spend}
        problem={problem('spend', words.noSpend)}
        onChange={(spend) => onChange({ spend })}
      />
    </>
  );
}
