import { type ReactElement, useState } from 'react';
import { type Parameter } from '../../browser/address';
import { visibleText } from '../../format/visible-text';
import { TextField } from '../fields/text-field';
import { type Filter } from './filter-bar';
import { FilterForm } from './filter-form';

interface WordProps<Value> {
  readonly label: string;
  readonly hint?: string;
  /** The values that the address takes: the filter refuses one that the address would drop. */
  readonly takes: Parameter<Value>;
  /** Said of what is refused. */
  readonly problem?: string;
  readonly maxLength?: number;
}

export interface WordFilterProps<Value> extends WordProps<Value>, Pick<Filter, 'key'> {
  /** Undefined while the filter is not set. */
  readonly value: Value | undefined;
  /** The text that is shown in its place: the short form of an id. */
  readonly shown?: (value: Value) => string;
  /** Undefined clears it. */
  readonly onChange: (value: Value | undefined) => void;
}

/** A filter that is typed. */
export function wordFilter<Value extends string>(props: WordFilterProps<Value>): Filter {
  const { key, value, shown = visibleText, onChange, ...word } = props;
  return {
    key,
    label: word.label,
    value: value === undefined ? null : shown(value),
    onClear: () => onChange(undefined),
    editor: (close) => (
      <WordEditor {...word} value={value ?? ''} onApply={(next) => (onChange(next), close())} />
    ),
  };
}

interface WordEditorProps<Value> extends WordProps<Value> {
  readonly value: string;
  readonly onApply: (value: Value | undefined) => void;
}

/** The editor of such a filter. Nothing in it clears the filter. */
export function WordEditor<Value>(props: WordEditorProps<Value>): ReactElement {
  const { label, hint, takes, problem = REFUSED, maxLength = 200, value, onApply } = props;
  const [typed, setTyped] = useState(value);
  const [isTried, setTried] = useState(false);
  const word = typed.trim();
  const read = word === '' ? undefined : takes([word]);
  const isRefused = word !== '' && read === undefined;
  return (
    <FilterForm onApply={() => (isRefused ? setTried(true) : onApply(read))}>
      <TextField
        label={label}
        hint={hint}
        problem={isTried && isRefused ? problem : null}
        value={typed}
        onChange={setTyped}
        maxLength={maxLength}
      />
    </FilterForm>
  );
}

const REFUSED = 'This value is not valid.';
