import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useNames } from '../../api/use-names';
import { shortId } from '../../format/ids';
import { useCan } from '../../session/organization';
import { ComboboxField } from '../../ui/fields/combobox-field';

const OFFERED = 20;

interface KeyFieldProps {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (keyId: string | null) => void;
}

/** A key by its name or prefix, which the API searches. One that the address names may be any key. */
export function KeyField({ label, value, onChange }: KeyFieldProps): ReactElement {
  const [typed, setTyped] = useState('');
  const name = useNames('/keys', [value]).get(value ?? '');
  const sought = typed.trim();
  // What was chosen fills the field, and is nothing to search for.
  const q = sought === '' || sought === name ? undefined : sought;
  const query = { limit: OFFERED, state: 'active' as const, q };
  const keys = useRead('/keys', { params: { query } }, { enabled: useCan('key:read'), keepsPrevious: true });
  const found = keys.data?.data.map((key) => ({ value: key.id, label: key.name, note: key.id })) ?? [];
  const isFound = value === null || found.some((choice) => choice.value === value);
  const choices = isFound ? found : [{ value, label: name ?? shortId(value), note: value }, ...found];
  return (
    <ComboboxField label={label} value={value} onChange={onChange} choices={choices} onSearch={setTyped} />
  );
}
