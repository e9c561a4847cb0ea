import { Select as BaseSelect } from '@base-ui/react/select';
import { type ReactElement } from 'react';
import { CheckIcon, ChevronsIcon } from '../icons/icons';
import popup from '../menu/popup.module.css';
import { Field, type FieldProps } from './field';
import styles from './fields.module.css';
import { usePopupContainer } from '../popup-container';

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** One line below the label, in the list. */
  readonly note?: string;
  /** It is listed with its note, and cannot be taken. Of comboboxes only. */
  readonly isDisabled?: boolean;
}

export interface SelectFieldProps<Value extends string> extends FieldProps {
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  readonly choices: readonly Choice<Value>[];
  readonly placeholder?: string;
}

/** One of a few choices. For more than some twenty, or for names of the organization, use `ComboboxField`. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>): ReactElement {
  const { label, hint, name, problem, ...select } = props;
  return (
    <Field {...{ label, hint, problem }} {...(name !== undefined && { name })}>
      {(control) => <Select {...select} {...control} />}
    </Field>
  );
}

type SelectProps<Value extends string> = Pick<
  SelectFieldProps<Value>,
  'value' | 'onChange' | 'choices' | 'placeholder'
> & {
  readonly id?: string;
  readonly 'aria-label'?: string;
  readonly 'aria-describedby'?: string | undefined;
};

/** The select without its label, for a toolbar: give it an `aria-label`. */
export function Select<Value extends string>(props: SelectProps<Value>): ReactElement {
  const { value, onChange, choices, placeholder = 'Choose…', ...rest } = props;
  const container = usePopupContainer();
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <BaseSelect.Root<Value>
      value={value}
      onValueChange={(next) => next !== null && onChange(next)}
      modal={false}
      items={[...choices]}
    >
      <BaseSelect.Trigger {...rest} className={`${styles.input} ${styles.trigger}`}>
        <span className={chosen === undefined ? styles.placeholder : undefined}>
          {chosen?.label ?? placeholder}
        </span>
        <ChevronsIcon />
      </BaseSelect.Trigger>
      <BaseSelect.Portal container={container}>
        <BaseSelect.Positioner className={popup.positioner} alignItemWithTrigger={false} sideOffset={4}>
          <BaseSelect.Popup className={popup.popup}>
            <BaseSelect.List className={popup.list}>
              {choices.map((choice) => (
                <BaseSelect.Item key={choice.value} value={choice.value} className={popup.item}>
                  <BaseSelect.ItemIndicator className={popup.mark} keepMounted>
                    <CheckIcon />
                  </BaseSelect.ItemIndicator>
                  <span>
                    <BaseSelect.ItemText>{choice.label}</BaseSelect.ItemText>
                    {choice.note !== undefined && <small>{choice.note}</small>}
                  </span>
                </BaseSelect.Item>
              ))}
            </BaseSelect.List>
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
}
