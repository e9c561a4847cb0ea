import { type ReactElement, useState } from 'react';
import { accountApi } from '../../api/client';
import { refreshSession } from '../../api/transport';
import { useWrite } from '../../api/use-write';
import { ORGANIZATION, type OwnOrganization } from '../../api/use-own-organization';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { TextField } from '../../ui/fields/text-field';
import { text } from './text';

const words = text.organization;

interface RenameOrganizationProps {
  readonly organization: OwnOrganization;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Renames the organization. The session is read again, so that the header and the titles have the name at once. */
export function RenameOrganization({ organization, isOpen, onClose }: RenameOrganizationProps): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={words.renameTitle}>
      <RenameForm organization={organization} />
    </FormDialog>
  );
}

function RenameForm({ organization }: { readonly organization: OwnOrganization }): ReactElement {
  const [name, setName] = useState(organization.name);
  const [isTried, setTried] = useState(false);
  const done = useFormDone();
  const typed = name.trim();
  const params = { path: { organization_id: organization.id } };
  const rename = useWrite(
    () => accountApi.patch('/api/v1/organizations/{organization_id}', { params, body: { name: typed } }),
    { changes: [ORGANIZATION, '/audit-log'], says: words.renamed },
  );
  const submit = async () => {
    setTried(true);
    if (typed === '' || (await rename.run(undefined)) === null) return;
    await refreshSession();
    done();
  };
  return (
    <WriteForm
      approval="organization.update"
      write={rename}
      isChanged={name !== organization.name}
      action={words.save}
      onSubmit={() => void submit()}
    >
      <TextField
        name="name"
        label={words.name}
        value={name}
        problem={isTried && typed === '' ? words.noName : null}
        onChange={setName}
      />
    </WriteForm>
  );
}
