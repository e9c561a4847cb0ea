import { Combobox } from '@base-ui/react/combobox';
import { type ReactElement, useMemo } from 'react';
import { CheckIcon, ChevronsIcon } from '../icons/icons';
import popup from '../menu/popup.module.css';
import { usePopupContainer } from '../popup-container';
import { type Choice } from './choice';
import { Field, type FieldProps } from './field';
import styles from './fields.module.css';

interface ComboboxFieldProps<Value extends string> extends FieldProps {
  readonly value: Value | null;
  readonly onChange: (value: Value | null) => void;
  readonly choices: readonly Choice<Value>[];
  readonly placeholder?: string;
  /** For choices that the API searches: what is typed, nothing once one is chosen. Without it the given choices are searched. */
  readonly onSearch?: (typed: string) => void;
  /** The focus has left what was typed. */
  readonly onLeave?: () => void;
}

/** One of many choices, found by typing. */
export function ComboboxField<Value extends string>(props: ComboboxFieldProps<Value>): ReactElement {
  const { label, hint, name, problem, value, onChange, choices, placeholder, onSearch, onLeave } = props;
  const container = usePopupContainer();
  const chosen = useChosen(choices, value);
  return (
    <Field {...{ label, hint, problem }} {...(name !== undefined && { name })}>
      {(control) => (
        <Combobox.Root<Choice<Value>>
          items={choices}
          value={chosen}
          onValueChange={(choice) => onChange(choice?.value ?? null)}
          itemToStringLabel={(choice) => choice.label}
          isItemEqualToValue={(one, other) => one.value === other.value}
          // Enter takes the first that is found.
          autoHighlight
          {...(onSearch && {
            filter: null,
            onInputValueChange: (typed, { reason }) => onSearch(reason === 'input-change' ? typed : ''),
          })}
        >
          <div className={styles.inputGroup}>
            {/* Named by itself: while the list is open, what is around the field is hidden, its label too. */}
            <Combobox.Input
              {...control}
              aria-label={label}
              className={styles.input}
              placeholder={placeholder}
              onBlur={onLeave}
            />
            <Combobox.Trigger className={popup.opener} aria-label={`Show choices of ${label}`}>
              <ChevronsIcon />
            </Combobox.Trigger>
          </div>
          <Combobox.Portal container={container}>
            <Combobox.Positioner className={popup.positioner} sideOffset={4}>
              <Combobox.Popup className={popup.popup}>
                <Combobox.Empty className={popup.empty}>No results.</Combobox.Empty>
                <Combobox.List className={popup.list}>
                  {(choice: Choice<Value>) => <Option key={choice.value} choice={choice} />}
                </Combobox.List>
              </Combobox.Popup>
            </Combobox.Positioner>
          </Combobox.Portal>
        </Combobox.Root>
      )}
    </Field>
  );
}

function Option({ choice }: { readonly choice: Choice<string> }): ReactElement {
  return (
    <Combobox.Item value={choice} disabled={choice.isDisabled ?? false} className={popup.item}>
      <Combobox.ItemIndicator className={popup.mark} keepMounted>
        <CheckIcon />
      </Combobox.ItemIndicator>
      <span>
        {choice.label}
        {choice.note !== undefined && <small>{choice.note}</small>}
      </span>
    </Combobox.Item>
  );
}

/**
 * The chosen one, the same object while it is shown alike: Base UI takes another one for another choice, and puts its label in the
 * place of what somebody is typing.
 */
function useChosen<Value extends string>(
  choices: readonly Choice<Value>[],
  value: Value | null,
): Choice<Value> | null {
  const label = choices.find((choice) => choice.value === value)?.label ?? null;
  return useMemo(() => (value === null || label === null ? null : { value, label }), [value, label]);
}
