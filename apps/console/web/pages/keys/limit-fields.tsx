import { type ReactElement } from 'react';
import { NumberField } from '../../ui/fields/number-field';
import { type KeyDraft } from './new-key';
import { DEFAULT_LIMITS, text } from './text';

/** The limits of a key. Empty is the default. */
export function LimitFields({
  rpm,
  tpm,
  onChange,
}: Pick<KeyDraft, 'rpm' | 'tpm'> & {
  readonly onChange: (change: Partial<Pick<KeyDraft, 'rpm' | 'tpm'>>) => void;
}): ReactElement {
  const words = text.form;
  return (
    <>
      <NumberField
        name="rate_limit_rpm"
        label={words.rpm}
        hint={words.limitHint(DEFAULT_LIMITS.rpm)}
        min={1}
        value={rpm}
        onChange={(value) => onChange({ rpm: value })}
      />
      <NumberField
        name="rate_limit_tpm"
        label={words.tpm}
        hint={words.limitHint(DEFAULT_LIMITS.tpm)}
        min={1}
        step={1000}
        value={tpm}
        onChange={(value) => onChange({ tpm: value })}
      />
    </>
  );
}
