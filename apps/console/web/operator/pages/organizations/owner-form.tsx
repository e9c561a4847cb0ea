import { type ReactElement, useState } from 'react';
import { useFormDialog } from '../../../app/form-dialog';
import { Button } from '../../../ui/button/button';
import { Form } from '../../../ui/fields/form';
import { TextField } from '../../../ui/fields/text-field';
import { text } from './text';

export interface NewOwner {
  readonly name: string;
  readonly email: string;
}

export interface OwnerFormProps {
  /** Whether the organization is new, too, and needs a name. */
  readonly isNew: boolean;
  readonly action: string;
  readonly isBusy: boolean;
  readonly error: Error | null;
  readonly onSubmit: (typed: NewOwner) => void;
}

/** Who becomes an owner, of a new organization or of one that is there. */
export function OwnerForm({ isNew, action, isBusy, error, onSubmit }: OwnerFormProps): ReactElement {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [isTried, setTried] = useState(false);
  const cancel = useFormDialog(name !== '' || email !== '');
  const typed = { name: name.trim(), email: email.trim() };
  const isWhole = (!isNew || typed.name !== '') && typed.email !== '';
  return (
    <Form
      error={error}
      onSubmit={() => {
        setTried(true);
        if (isWhole && !isBusy) onSubmit(typed);
      }}
      actions={
        <>
          <Button onClick={cancel}>{text.cancel}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      {isNew && (
        <TextField
          name="name"
          label={text.form.name}
          value={name}
          problem={isTried && typed.name === '' ? text.form.noName : null}
          onChange={setName}
        />
      )}
      <TextField
        name="owner_email"
        type="email"
        label={text.form.owner}
        hint={text.form.ownerHint}
        value={email}
        problem={isTried && typed.email === '' ? text.form.noOwner : null}
        onChange={setEmail}
      />
    </Form>
  );
}
