import { type ReactElement, useState } from 'react';
import { FormDialog, useFormDone } from '../../../frame/form-dialog';
import { SecretDialog } from '../../../ui/dialog/secret-dialog';
import { useWrite } from '../../api/use-api';
import { OwnerForm, type NewOwner } from './owner-form';
import { text } from './text';

interface DialogState {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Makes an organization with its first owner. The link of an owner without a password is shown once. */
export function CreateOrganization({ isOpen, onClose }: DialogState): ReactElement {
  const [link, setLink] = useState<string | null>(null);
  return (
    <>
      <FormDialog isOpen={isOpen} onClose={onClose} title={text.form.title}>
        <NewOrganizationForm onLink={setLink} />
      </FormDialog>
      <OwnerLink link={link} onSaved={() => setLink(null)} />
    </>
  );
}

function NewOrganizationForm({ onLink }: { readonly onLink: (url: string | null) => void }): ReactElement {
  const close = useFormDone();
  const create = useWrite(
    (api, { name, email }: NewOwner) => api.post('/organizations', { body: { name, owner_email: email } }),
    { changes: ['/organizations'], says: text.form.done },
  );
  const submit = async (typed: NewOwner) => {
    const created = await create.run(typed);
    if (created === null) return;
    close();
    onLink(created.owner.accept_url);
  };
  return (
    <OwnerForm isNew action={text.form.action} write={create} onSubmit={(typed) => void submit(typed)} />
  );
}

interface AppointOwnerProps extends DialogState {
  readonly organizationId: string;
}

/** Makes somebody an owner of an organization that has none who can act. */
export function AppointOwner({ organizationId, isOpen, onClose }: AppointOwnerProps): ReactElement {
  const [link, setLink] = useState<string | null>(null);
  return (
    <>
      <FormDialog
        isOpen={isOpen}
        onClose={onClose}
        title={text.appoint.title}
        description={<p>{text.appoint.why}</p>}
      >
        <AppointedOwnerForm organizationId={organizationId} onLink={setLink} />
      </FormDialog>
      <OwnerLink link={link} onSaved={() => setLink(null)} />
    </>
  );
}

function AppointedOwnerForm(props: {
  readonly organizationId: string;
  readonly onLink: (url: string | null) => void;
}): ReactElement {
  const close = useFormDone();
  const params = { path: { organization_id: props.organizationId } };
  const appoint = useWrite(
    (api, { email }: NewOwner) =>
      api.post('/organizations/{organization_id}/owners', { params, body: { owner_email: email } }),
    { changes: ['/organizations'], says: text.appoint.done },
  );
  const submit = async (typed: NewOwner) => {
    const owner = await appoint.run(typed);
    if (owner === null) return;
    close();
    props.onLink(owner.accept_url);
  };
  return (
    <OwnerForm
      isNew={false}
      action={text.appoint.action}
      write={appoint}
      onSubmit={(typed) => void submit(typed)}
    />
  );
}

const OwnerLink = ({
  link,
  onSaved,
}: {
  readonly link: string | null;
  readonly onSaved: () => void;
}): ReactElement => (
  <SecretDialog
    secret={link}
    onSaved={onSaved}
    title={text.link.title}
    label={text.link.label}
    warning={text.link.warning}
  />
);
