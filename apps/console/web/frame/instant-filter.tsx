import { type ReactElement, useState } from 'react';
import { usePreferences } from '../browser/preferences';
import { formatInstant, fromInputTime, toInputTime } from '../format/time';
import { TextField } from '../ui/fields/text-field';
import { type Filter } from '../ui/filters/filter-bar';
import { FilterForm } from '../ui/filters/filter-form';

interface InstantFilterProps extends Pick<Filter, 'key' | 'label'> {
  /** Undefined while the filter is not set. */
  readonly value: string | undefined;
  /** Undefined clears it. */
  readonly onChange: (at: string | undefined) => void;
}

/** Filters by an instant, by the clock that the reader chose. */
export function useInstantFilter(): (props: InstantFilterProps) => Filter {
  const { zone } = usePreferences();
  return ({ key, label, value, onChange }) => ({
    key,
    label,
    value: value === undefined ? null : formatInstant(new Date(value), zone),
    onClear: () => onChange(undefined),
    editor: (close) => (
      <InstantEditor label={label} value={value} onApply={(at) => (onChange(at), close())} />
    ),
  });
}

interface InstantEditorProps extends Pick<InstantFilterProps, 'label' | 'value'> {
  readonly onApply: (at: string | undefined) => void;
}

/** The editor of such a filter. */
export function InstantEditor({ label, value, onApply }: InstantEditorProps): ReactElement {
  const { zone } = usePreferences();
  const [typed, setTyped] = useState(value === undefined ? '' : toInputTime(new Date(value), zone));
  return (
    <FilterForm onApply={() => onApply(fromInputTime(typed, zone) ?? undefined)}>
      <TextField label={label} type="datetime-local" value={typed} onChange={setTyped} />
    </FilterForm>
  );
}
