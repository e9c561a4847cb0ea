import { type ReactElement } from 'react';
import { NumberField } from '../../ui/fields/number-field';
import { WEIGHT_MAX, type PoolDraft } from './pool';
import { text } from './text';

interface PoolFieldsProps {
  readonly draft: PoolDraft;
  readonly onChange: (change: Partial<PoolDraft>) => void;
}

/** Its share of a provider's calls, and the limits that the gateway keeps for it. */
export function PoolFields({ draft, onChange }: PoolFieldsProps): ReactElement {
  const words = text.pool;
  return (
    <>
      <NumberField
        name="weight"
        label={words.weight}
        hint={words.weightHint}
        max={WEIGHT_MAX}
        step={10}
        value={draft.weight}
        onChange={(weight) => onChange({ weight })}
      />
      <NumberField
        name="rate_limit_rpm"
        label={words.rpm}
        hint={words.rateHint}
        min={1}
        value={draft.rpm}
        onChange={(rpm) => onChange({ rpm })}
      />
      <NumberField
        name="rate_limit_tpm"
        label={words.tpm}
        hint={words.rateHint}
        min={1}
        step={1000}
        value={draft.tpm}
        onChange={(tpm) => onChange({ tpm })}
      />
    </>
  );
}
