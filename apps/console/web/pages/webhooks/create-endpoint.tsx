import { type ReactElement, useState } from 'react';
import { type components } from '../../api/generated/management';
import { useWrite } from '../../api/use-write';
import { FormDialog } from '../../frame/form-dialog';
import { SecretDialog } from '../../ui/dialog/secret-dialog';
import { EndpointForm, type EndpointDraft } from './endpoint-form';
import { text } from './text';
import { type Endpoint } from './webhook';

export type IssuedSecret = components['schemas']['IssuedSigningSecret'];

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Creates an endpoint, and shows its signing secret once. */
export function CreateEndpoint({ isOpen, onClose }: DialogProps): ReactElement {
  const [issued, setIssued] = useState<IssuedSecret | null>(null);
  return (
    <>
      <FormDialog
        isOpen={isOpen && issued === null}
        onClose={onClose}
        size="large"
        title={text.form.createTitle}
      >
        <NewEndpoint onIssued={setIssued} />
      </FormDialog>
      <SigningSecret
        issued={issued}
        onSaved={() => {
          setIssued(null);
          onClose();
        }}
      />
    </>
  );
}

export const SigningSecret = (props: {
  readonly issued: IssuedSecret | null;
  readonly onSaved: () => void;
}): ReactElement => (
  <SecretDialog
    secret={props.issued?.signing_secret ?? null}
    title={text.secret.title}
    label={text.secret.label}
    warning={props.issued?.warning ?? ''}
    onSaved={props.onSaved}
  />
);

function NewEndpoint({ onIssued }: { readonly onIssued: (issued: IssuedSecret) => void }): ReactElement {
  const create = useWrite((api, body: EndpointDraft) => api.post('/webhooks', { body }), {
    changes: ['/webhooks'],
  });
  const submit = async (draft: EndpointDraft) => {
    const issued = await create.run(draft);
    if (issued !== null) onIssued(issued);
  };
  return (
    <EndpointForm
      initial={{ url: '', description: '', event_types: [] }}
      isNew
      write={create}
      onSubmit={(draft) => void submit(draft)}
    />
  );
}

/** Changes apply from the next attempt on, also to queued deliveries. */
export function EditEndpoint(props: DialogProps & { readonly endpoint: Endpoint }): ReactElement {
  const { endpoint, isOpen, onClose } = props;
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} size="large" title={text.form.editTitle}>
      <ChangedEndpoint endpoint={endpoint} onClose={onClose} />
    </FormDialog>
  );
}

function ChangedEndpoint(props: { readonly endpoint: Endpoint; readonly onClose: () => void }): ReactElement {
  const { endpoint, onClose } = props;
  const params = { path: { endpoint_id: endpoint.id } };
  const change = useWrite(
    (api, body: EndpointDraft) => api.patch('/webhooks/{endpoint_id}', { params, body }),
    {
      changes: ['/webhooks', '/audit-log'],
      says: text.form.saved,
    },
  );
  const submit = async (draft: EndpointDraft) => {
    if ((await change.run(draft)) !== null) onClose();
  };
  return <EndpointForm initial={endpoint} write={change} onSubmit={(draft) => void submit(draft)} />;
}
