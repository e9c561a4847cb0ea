import { type ReactElement, useEffect, useRef, useState } from 'react';
import { visibleText } from '../format/visible-text';
import { IconButton } from '../ui/button/button';
import { ComboboxField } from '../ui/fields/combobox-field';
import { CloseIcon } from '../ui/icons/icons';
import styles from './policies.module.css';
import { text } from './text';

/** Choices of a list that opens: more would be slow, and typing finds the others. */
const OFFERED_MAX = 100;

interface NameListProps {
  /** The name of the list. */
  readonly label: string;
  /** The kind of the names: `region`. */
  readonly one: string;
  readonly names: readonly string[];
  readonly known: readonly string[];
  /** Whether names that are not known can be marked. */
  readonly marksUnknown: boolean;
  readonly onChange: (names: readonly string[]) => void;
}

/** Names of a policy, to add to and remove from. A name that the catalog lacks is kept, and marked. */
export function NameList(props: NameListProps): ReactElement {
  const { label, one, names, known, marksUnknown, onChange } = props;
  const [typed, setTyped] = useState('');
  const root = useRef<HTMLDivElement>(null);
  const isMoved = useRef(false);
  useEffect(() => {
    // The control that had the focus is gone, or is another one.
    if (isMoved.current) root.current?.querySelector('input')?.focus();
    isMoved.current = false;
  }, [names]);
  const add = (name: string | null) => {
    setTyped('');
    if (name === null || names.includes(name)) return;
    isMoved.current = true;
    onChange([...names, name]);
  };
  const remove = (name: string) => {
    isMoved.current = true;
    onChange(names.filter((other) => other !== name));
  };
  return (
    <div ref={root} className={styles.nameList}>
      {names.length > 0 && (
        <ul className={styles.names} aria-label={label}>
          {names.map((name) => {
            const isMissing = marksUnknown && !known.includes(name);
            return (
              <li key={name} data-missing={isMissing || undefined}>
                <bdi translate="no">{visibleText(name)}</bdi>
                {isMissing && <small>{text.lists.missing}</small>}
                <IconButton
                  label={text.lists.remove(name)}
                  icon={<CloseIcon />}
                  onClick={() => remove(name)}
                />
              </li>
            );
          })}
        </ul>
      )}
      <ComboboxField
        key={names.length}
        label={text.lists.add(one)}
        value={null}
        onChange={add}
        onSearch={setTyped}
        choices={choicesOf(typed.trim(), names, known)}
      />
    </div>
  );
}

function choicesOf(typed: string, names: readonly string[], known: readonly string[]) {
  const sought = typed.toLowerCase();
  const found = known.filter((name) => !names.includes(name) && name.toLowerCase().includes(sought));
  const offered = found.slice(0, OFFERED_MAX).map((name) => ({ value: name, label: visibleText(name) }));
  const isNew = typed !== '' && !known.includes(typed) && !names.includes(typed);
  return isNew
    ? [...offered, { value: typed, label: visibleText(typed), note: text.lists.addMissing }]
    : offered;
}
