import { SelectField } from '../fields/select-field';
import { type Filter } from './filter-bar';

interface ChoiceFilterProps<Value extends string> extends Pick<Filter, 'key' | 'label'> {
  /** Undefined while the filter is not set. */
  readonly value: Value | undefined;
  /** In the order of the list. */
  readonly choices: readonly Value[];
  readonly words: Readonly<Record<Value, string>>;
  /** Undefined clears it. */
  readonly onChange: (value: Value | undefined) => void;
}

/** A filter that is one of a few words. */
export function choiceFilter<Value extends string>(props: ChoiceFilterProps<Value>): Filter {
  const { key, label, value, choices, words, onChange } = props;
  return {
    key,
    label,
    value: value === undefined ? null : words[value],
    onClear: () => onChange(undefined),
    editor: (close) => (
      <SelectField
        label={label}
        value={value ?? null}
        onChange={(next) => (onChange(next), close())}
        choices={choices.map((choice) => ({ value: choice, label: words[choice] }))}
      />
    ),
  };
}
