import { type ReactElement, useState } from 'react';
import { type WriteState } from '../../../api/writes';
import { WriteForm } from '../../../frame/write-form';
import { TextField } from '../../../ui/fields/text-field';
import { text } from './text';

export interface NewOwner {
  readonly name: string;
  readonly email: string;
}

interface OwnerFormProps {
  /** Whether the organization is new, too, and needs a name. */
  readonly isNew: boolean;
  readonly action: string;
  readonly write: WriteState;
  readonly onSubmit: (typed: NewOwner) => void;
}

/** Who becomes an owner, of a new organization or of one that is there. */
export function OwnerForm({ isNew, action, write, onSubmit }: OwnerFormProps): ReactElement {
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [isTried, setTried] = useState(false);
  const typed = { name: name.trim(), email: email.trim() };
  const isWhole = (!isNew || typed.name !== '') && typed.email !== '';
  return (
    <WriteForm
      write={write}
      isChanged={name !== '' || email !== ''}
      action={action}
      onSubmit={() => {
        setTried(true);
        if (isWhole) onSubmit(typed);
      }}
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
    </WriteForm>
  );
}
