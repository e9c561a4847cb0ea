import { type ReactElement } from 'react';
import { type Parameter } from '../browser/address';
import { visibleText } from '../format/visible-text';
import { IconButton } from '../ui/button/button';
import { CloseIcon } from '../ui/icons/icons';
import { WordEditor } from '../ui/filters/word-filter';
import styles from './pick-filter.module.css';
import { PickField, useCanPick, type PickedKind } from './pick-field';

interface EditorProps<Value> {
  readonly of: PickedKind;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly problem?: string | undefined;
  /** The value that the address takes for the filter. */
  readonly takes: Parameter<Value>;
  readonly value: Value | undefined;
  /** Undefined clears the filter. */
  readonly onApply: (value: Value | undefined) => void;
}

/** The editor of a filter by one thing that has a name. */
export function PickEditor<Value extends string>(props: EditorProps<Value>): ReactElement {
  const { of, label, hint, problem, takes, value, onApply } = props;
  if (!useCanPick(of))
    return <WordEditor {...{ label, hint, problem, takes, onApply }} value={value ?? ''} maxLength={256} />;
  return (
    <PickField
      {...{ of, label, hint }}
      isFilter
      value={value ?? null}
      takes={(typed) => takes([typed]) !== undefined}
      onChange={(picked) => onApply(picked === null ? undefined : takes([picked]))}
    />
  );
}

/** The control of a filter by one thing that has a name, for the chips of `ListFilters`. */
export const picks =
  <Value extends string>(
    of: PickedKind,
    words: Pick<EditorProps<Value>, 'label' | 'hint' | 'takes'>,
  ): ((value: Value | undefined, onChange: (value: Value | undefined) => void) => ReactElement) =>
  (value, onChange) => <PickEditor {...words} of={of} value={value} onApply={onChange} />;

interface SeveralProps extends EditorProps<readonly string[]> {
  /** The words for a value. */
  readonly nameOf: (value: string) => string;
  readonly severalHint: string;
}

/** The editor of a filter by several of them: what is picked is added to those that are set. Ids with commas between them can be pasted. */
export function PickSeveralEditor(props: SeveralProps): ReactElement {
  const { of, label, takes, value = [], nameOf, severalHint, problem, onApply } = props;
  const read = (typed: string) => takes([typed.replace(/\s*,\s*/g, ',')]);
  if (!useCanPick(of)) {
    const field = { label, problem, onApply, hint: severalHint, value: value.join(','), maxLength: 2000 };
    return <WordEditor {...field} takes={([typed = '']) => read(typed)} />;
  }
  const add = (picked: string | null) => {
    const more = picked === null ? undefined : read(picked);
    if (more !== undefined) onApply([...new Set([...value, ...more])]);
  };
  return (
    <div className={styles.editor}>
      <PickField
        {...{ of, label }}
        isFilter
        value={null}
        takes={(typed) => read(typed) !== undefined}
        onChange={add}
      />
      {value.length > 0 && (
        <ul className={styles.set} aria-label={label}>
          {value.map((one) => (
            <li key={one}>
              <bdi>{visibleText(nameOf(one))}</bdi>
              <IconButton
                label={`Remove ${visibleText(nameOf(one))}`}
                icon={<CloseIcon />}
                onClick={() =>
                  onApply(value.length === 1 ? undefined : value.filter((other) => other !== one))
                }
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
