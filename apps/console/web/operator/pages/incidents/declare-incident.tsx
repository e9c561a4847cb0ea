import { type ReactElement, useState } from 'react';
import { FormDialog, useFormDone } from '../../../frame/form-dialog';
import { WriteForm } from '../../../frame/write-form';
import { type Schemas, useWrite } from '../../api/use-api';
import { emptyDraft, incidentOf, problemsOf, type IncidentDraft } from './draft';
import { SaidFields, ScopeFields, type IncidentFieldsProps } from './incident-fields';
import { text } from './text';

const words = text.declare;

interface DeclareIncidentProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDeclared: (incidentId: string) => void;
}

export function DeclareIncident({ isOpen, onClose, onDeclared }: DeclareIncidentProps): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={words.title} size="large">
      <IncidentForm onDeclared={onDeclared} />
    </FormDialog>
  );
}

function IncidentForm({ onDeclared }: Pick<DeclareIncidentProps, 'onDeclared'>): ReactElement {
  const [draft, setDraft] = useState<IncidentDraft>(emptyDraft);
  const [isTried, setTried] = useState(false);
  // One for all tries of the form: a try whose answer was lost opens no second incident.
  const [key] = useState(() => crypto.randomUUID());
  const close = useFormDone();
  const problems = problemsOf(draft);
  const declare = useWrite(
    (api, body: Schemas['NewIncident']) =>
      api.post('/incidents', { params: { header: { 'Idempotency-Key': key } }, body }),
    { changes: ['/incidents'], says: words.done },
  );
  const submit = async () => {
    setTried(true);
    if (Object.keys(problems).length > 0) return;
    const incident = await declare.run(incidentOf(draft));
    if (incident === null) return;
    close();
    onDeclared(incident.id);
  };
  const fields: IncidentFieldsProps = {
    draft,
    set: (change) => setDraft((before) => ({ ...before, ...change })),
    problem: (name) => (isTried ? (problems[name] ?? null) : null),
  };
  return (
    <WriteForm
      write={declare}
      isChanged={draft !== emptyDraft}
      action={words.action}
      onSubmit={() => void submit()}
    >
      <SaidFields {...fields} />
      <ScopeFields {...fields} />
    </WriteForm>
  );
}
