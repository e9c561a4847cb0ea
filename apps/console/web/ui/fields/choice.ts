/** A choice of a select, a combobox or a menu. */
export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** One line below the label, in the list. */
  readonly note?: string;
  /** It is listed with its note, and cannot be taken. Of comboboxes only. */
  readonly isDisabled?: boolean;
}
