import { type ReactElement } from 'react';
import { Field, type FieldProps } from './field';
import { LoadedSelect } from './loaded-select';
import { type SelectProps } from './select-value';

interface SelectFieldProps<Value extends string>
  extends FieldProps, Pick<SelectProps<Value>, 'value' | 'onChange' | 'choices' | 'placeholder'> {}

/** One of a few choices. For more than some twenty, or for names of the organization, use `ComboboxField`. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>): ReactElement {
  const { label, hint, name, problem, ...select } = props;
  return (
    <Field {...{ label, hint, problem }} {...(name !== undefined && { name })}>
      {(control) => <LoadedSelect {...select} {...control} />}
    </Field>
  );
}
