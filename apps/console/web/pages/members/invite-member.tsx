import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { FormDialog } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { type Role } from '../../session/session';
import { TextField } from '../../ui/fields/text-field';
import { LinkDialog } from './link-dialog';
import { type CreatedInvitation } from './member';
import { RoleField } from './role-field';
import { text } from './text';

interface InviteMemberProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Invites somebody, and shows the link once. */
export function InviteMember({ isOpen, onClose }: InviteMemberProps): ReactElement {
  const [created, setCreated] = useState<CreatedInvitation | null>(null);
  return (
    <>
      <FormDialog isOpen={isOpen && created === null} onClose={onClose} title={text.inviteForm.title}>
        <InviteForm onCreated={setCreated} />
      </FormDialog>
      <LinkDialog
        created={created}
        onSaved={() => {
          setCreated(null);
          onClose();
        }}
      />
    </>
  );
}

function InviteForm(props: { readonly onCreated: (created: CreatedInvitation) => void }): ReactElement {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const [isTried, setTried] = useState(false);
  const words = text.inviteForm;
  const typed = email.trim();
  const invite = useWrite((api) => api.post('/members/invitations', { body: { email: typed, role } }), {
    changes: ['/members/invitations', '/audit-log'],
  });
  const submit = async () => {
    setTried(true);
    if (typed === '') return;
    const created = await invite.run(undefined);
    if (created !== null) props.onCreated(created);
  };
  return (
    <WriteForm
      approval="invitation.create"
      write={invite}
      isChanged={email !== '' || role !== 'viewer'}
      action={words.submit}
      onSubmit={() => void submit()}
    >
      <TextField
        name="email"
        type="email"
        label={words.email}
        value={email}
        problem={isTried && typed === '' ? words.noEmail : null}
        onChange={setEmail}
      />
      <RoleField value={role} onChange={setRole} />
    </WriteForm>
  );
}
