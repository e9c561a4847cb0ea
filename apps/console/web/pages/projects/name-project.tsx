import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { type Write } from '../../api/writes';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { TextField } from '../../ui/fields/text-field';
import { type Project } from './project';
import { text } from './text';

interface DialogState {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CreateProject({ isOpen, onClose }: DialogState): ReactElement {
  const create = useWrite((api, name: string) => api.post('/projects', { body: { name } }), {
    changes: ['/projects', '/audit-log'],
    says: text.form.created,
  });
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={text.form.createTitle}>
      <NameForm before="" action={text.form.create} write={create} />
    </FormDialog>
  );
}

export function RenameProject({
  project,
  isOpen,
  onClose,
}: DialogState & { readonly project: Project }): ReactElement {
  const params = { path: { project_id: project.id } };
  const rename = useWrite(
    (api, name: string) => api.patch('/projects/{project_id}', { params, body: { name } }),
    {
      changes: ['/projects', '/audit-log'],
      says: text.form.renamed,
    },
  );
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={text.form.renameTitle}>
      <NameForm before={project.name} action={text.form.rename} write={rename} />
    </FormDialog>
  );
}

interface NameFormProps {
  readonly before: string;
  readonly action: string;
  readonly write: Write<string, Project>;
}

function NameForm({ before, action, write }: NameFormProps): ReactElement {
  const [name, setName] = useState(before);
  const [isTried, setTried] = useState(false);
  const typed = name.trim();
  const close = useFormDone();
  const submit = async () => {
    setTried(true);
    if (typed !== '' && (await write.run(typed)) !== null) close();
  };
  return (
    <WriteForm
      approval={before === '' ? 'project.create' : 'project.update'}
      write={write}
      isChanged={name !== before}
      action={action}
      onSubmit={() => void submit()}
    >
      <TextField
        name="name"
        label={text.form.name}
        hint={text.form.nameHint}
        value={name}
        problem={isTried && typed === '' ? text.form.noName : null}
        onChange={setName}
      />
    </WriteForm>
  );
}
