import { type ReactElement, useState } from 'react';
import { FormDialog, useFormDone } from '../../../frame/form-dialog';
import { WriteForm } from '../../../frame/write-form';
import { RadioGroup } from '../../../ui/fields/check-field';
import { TextArea, TextField } from '../../../ui/fields/text-field';
import { Note } from '../../../ui/states/notes';
import { type Schemas, useWrite } from '../../api/use-api';
import { severityChoices, type Incident, type Severity, type State } from './incident';
import { stateWords, text } from './text';

interface IncidentDialogProps {
  readonly incident: Incident;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Says how it goes on; `resolves`: that it is over. */
export function UpdateIncident(props: IncidentDialogProps & { readonly resolves?: boolean }): ReactElement {
  const { incident, isOpen, onClose, resolves = false } = props;
  const words = resolves ? text.resolve : text.update;
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={words.title} description={<p>{text.update.told}</p>}>
      <UpdateForm incident={incident} resolves={resolves} />
    </FormDialog>
  );
}

const states = Object.entries(stateWords).map(([value, label]) => ({ value: value as State, label }));

function UpdateForm({
  incident,
  resolves,
}: {
  readonly incident: Incident;
  readonly resolves: boolean;
}): ReactElement {
  const words = text.update;
  const [message, setMessage] = useState('');
  const [state, setState] = useState<State>(resolves ? 'resolved' : incident.state);
  const [severity, setSeverity] = useState(incident.severity);
  const [isTried, setTried] = useState(false);
  const close = useFormDone();
  const params = { path: { incident_id: incident.id } };
  const update = useWrite(
    (api, body: Schemas['NewIncidentUpdate']) =>
      api.post('/incidents/{incident_id}/updates', { params, body }),
    { changes: ['/incidents'], says: state === 'resolved' ? text.resolve.done : words.done },
  );
  const submit = async () => {
    setTried(true);
    if (message.trim() === '') return;
    const body = {
      message: message.trim(),
      ...(state !== incident.state && { state }),
      ...(severity !== incident.severity && { severity }),
    };
    if ((await update.run(body)) !== null) close();
  };
  return (
    <WriteForm
      write={update}
      isChanged={message !== ''}
      action={resolves ? text.resolve.action : words.action}
      onSubmit={() => void submit()}
    >
      {incident.source === 'automatic' && !incident.managed && <Note>{words.automatic}</Note>}
      <TextArea
        name="message"
        label={words.message}
        value={message}
        problem={isTried && message.trim() === '' ? words.noMessage : null}
        onChange={setMessage}
      />
      {!resolves && <Standing {...{ state, setState, severity, setSeverity }} />}
    </WriteForm>
  );
}

function Standing(props: {
  readonly state: State;
  readonly setState: (state: State) => void;
  readonly severity: Severity;
  readonly setSeverity: (severity: Severity) => void;
}): ReactElement {
  const { state, setState, severity, setSeverity } = props;
  const words = text.update;
  return (
    <>
      <RadioGroup label={words.state} value={state} choices={states} onChange={setState} />
      <RadioGroup label={words.severity} value={severity} choices={severityChoices} onChange={setSeverity} />
    </>
  );
}

export function RenameIncident({ incident, isOpen, onClose }: IncidentDialogProps): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={text.rename.title}>
      <RenameForm incident={incident} />
    </FormDialog>
  );
}

function RenameForm({ incident }: Pick<IncidentDialogProps, 'incident'>): ReactElement {
  const words = text.rename;
  const [title, setTitle] = useState(incident.title);
  const [isTried, setTried] = useState(false);
  const close = useFormDone();
  const params = { path: { incident_id: incident.id } };
  const rename = useWrite(
    (api, body: Schemas['IncidentChange']) => api.patch('/incidents/{incident_id}', { params, body }),
    { changes: ['/incidents'], says: words.done },
  );
  const submit = async () => {
    setTried(true);
    if (title.trim() !== '' && (await rename.run({ title: title.trim() })) !== null) close();
  };
  return (
    <WriteForm
      write={rename}
      isChanged={title !== incident.title}
      action={words.action}
      onSubmit={() => void submit()}
    >
      <TextField
        name="title"
        label={words.name}
        hint={words.hint}
        maxLength={256}
        value={title}
        problem={isTried && title.trim() === '' ? words.noName : null}
        onChange={setTitle}
      />
    </WriteForm>
  );
}
