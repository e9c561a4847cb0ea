import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useNames } from '../../api/use-names';
import { shortId } from '../../format/ids';
import { useCan } from '../../session/organization';
import { ComboboxField } from '../../ui/fields/combobox-field';
import { owners } from './new-key';
import { text } from './text';

const OFFERED = 100;
const words = text.form;

interface OwnerFieldProps {
  readonly value: string;
  readonly onChange: (owner: string) => void;
}

/** In whose budgets the calls of a new key count: those of who makes it, of another member, or nobody's. */
export function OwnerField({ value, onChange }: OwnerFieldProps): ReactElement {
  const query = { state: 'active', limit: OFFERED } as const;
  const members = useRead('/members', { params: { query } }, { enabled: useCan('member:read') });
  const offered = [
    { value: owners.self, label: words.self },
    { value: owners.nobody, label: words.nobody },
    ...(members.data?.data.map(({ id, email }) => ({ value: id, label: email, note: id })) ?? []),
  ];
  const isOffered = offered.some((choice) => choice.value === value);
  const names = useNames('/members', [isOffered ? null : value]);
  const choices = isOffered
    ? offered
    : [...offered, { value, label: names.get(value) ?? shortId(value), note: value }];
  return (
    <ComboboxField
      name="member_id"
      label={words.owner}
      hint={words.ownerHint}
      value={value}
      onChange={(chosen) => onChange(chosen ?? owners.self)}
      choices={choices}
    />
  );
}
