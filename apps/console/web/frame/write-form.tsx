import { type ReactElement } from 'react';
import { type WriteState } from '../api/writes';
import { Button } from '../ui/button/button';
import { Form, type FormProps } from '../ui/fields/form';
import { useFormDialog } from './form-dialog';

interface WriteFormProps extends Omit<FormProps, 'error' | 'actions'> {
  /** The write that it sends. While that is under way it is not submitted again. */
  readonly write: WriteState;
  /** Whether something was typed: "Cancel" asks first then, as every other way out of the dialog does. */
  readonly isChanged: boolean;
  /** The words of the button that submits it. */
  readonly action: string;
  readonly isDanger?: boolean;
}

/** The form of one write, within a `FormDialog`. */
export function WriteForm(props: WriteFormProps): ReactElement {
  const { write, isChanged, action, isDanger = false, onSubmit, ...form } = props;
  const cancel = useFormDialog(isChanged);
  return (
    <Form
      {...form}
      error={write.error}
      onSubmit={() => !write.isBusy && onSubmit()}
      actions={
        <>
          <Button onClick={cancel}>Cancel</Button>
          <Button type="submit" variant={isDanger ? 'danger' : 'primary'} isBusy={write.isBusy}>
            {action}
          </Button>
        </>
      }
    />
  );
}
