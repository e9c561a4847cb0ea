import { type ReactElement, useState } from 'react';
import { fromInputTime, toInputTime } from '../format/time';
import { Button } from '../ui/button/button';
import { Form } from '../ui/fields/form';
import { TextField } from '../ui/fields/text-field';
import { usePreferences } from './preferences';

export interface InstantEditorProps {
  readonly label: string;
  readonly value: string | undefined;
  /** The words of the button. */
  readonly action: string;
  readonly onApply: (at: string | undefined) => void;
}

/** The editor of a filter by an instant, by the clock that the reader chose. */
export function InstantEditor({ label, value, action, onApply }: InstantEditorProps): ReactElement {
  const { zone } = usePreferences();
  const [typed, setTyped] = useState(value === undefined ? '' : toInputTime(new Date(value), zone));
  return (
    <Form
      error={null}
      onSubmit={() => onApply(fromInputTime(typed, zone) ?? undefined)}
      actions={<Button type="submit">{action}</Button>}
    >
      <TextField label={label} type="datetime-local" value={typed} onChange={setTyped} />
    </Form>
  );
}
