import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { ConfirmWrite } from '../../frame/confirm-write';
import { FormDialog } from '../../frame/form-dialog';
import { Button } from '../../ui/button/button';
import { ErrorNote } from '../../ui/states/error-note';
import { BulkRetry } from './bulk-retry';
import { EditEndpoint, SigningSecret, type IssuedSecret } from './create-endpoint';
import { webhooksRoute } from './route';
import { SendTest } from './send-test';
import { text } from './text';
import { type Endpoint } from './webhook';

const words = text.one;
type Open = 'test' | 'again' | 'edit' | 'rotate' | 'delete' | null;
interface DialogProps {
  readonly endpoint: Endpoint;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Actions on an endpoint. */
export function EndpointActions({ endpoint }: { readonly endpoint: Endpoint }): ReactElement {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Button onClick={() => setOpen('test')}>{words.test}</Button>
      <Button onClick={() => setOpen('again')}>{text.bulk.open}</Button>
      <PauseButton endpoint={endpoint} />
      <Button onClick={() => setOpen('edit')}>{words.edit}</Button>
      <Button onClick={() => setOpen('rotate')}>{words.rotate}</Button>
      <Button variant="danger" onClick={() => setOpen('delete')}>
        {words.delete}
      </Button>
      <FormDialog isOpen={open === 'test'} onClose={close} title={words.test} description={text.test.note}>
        <SendTest endpointId={endpoint.id} onClose={close} />
      </FormDialog>
      <BulkRetry endpointId={endpoint.id} isOpen={open === 'again'} onClose={close} />
      <EditEndpoint endpoint={endpoint} isOpen={open === 'edit'} onClose={close} />
      <RotateSecret endpoint={endpoint} isOpen={open === 'rotate'} onClose={close} />
      <DeleteEndpoint endpoint={endpoint} isOpen={open === 'delete'} onClose={close} />
    </>
  );
}

function PauseButton({ endpoint: { id, enabled } }: { readonly endpoint: Endpoint }): ReactElement {
  const params = { path: { endpoint_id: id } };
  const toggle = useWrite(
    (api, isOn: boolean) => api.patch('/webhooks/{endpoint_id}', { params, body: { enabled: isOn } }),
    {
      changes: ['/webhooks', '/audit-log'],
      says: (changed) => (changed.enabled ? words.resumed : words.paused),
    },
  );
  return (
    <>
      <Button isBusy={toggle.isBusy} onClick={() => void toggle.run(!enabled)}>
        {enabled ? words.pause : words.resume}
      </Button>
      <ErrorNote error={toggle.error} />
    </>
  );
}

/** The new secret is shown once. */
function RotateSecret({ endpoint: { id }, isOpen, onClose }: DialogProps): ReactElement {
  const [issued, setIssued] = useState<IssuedSecret | null>(null);
  const rotate = useWrite(
    (api) => api.post('/webhooks/{endpoint_id}/rotate-secret', { params: { path: { endpoint_id: id } } }),
    { changes: ['/webhooks', '/audit-log'] },
  );
  return (
    <>
      <ConfirmWrite
        approval="webhook_endpoint.rotate_secret"
        write={rotate}
        isOpen={isOpen}
        onClose={onClose}
        words={text.rotate}
        isDanger={false}
        onDone={setIssued}
      />
      <SigningSecret issued={issued} onSaved={() => setIssued(null)} />
    </>
  );
}

function DeleteEndpoint({ endpoint: { id, url }, isOpen, onClose }: DialogProps): ReactElement {
  const navigate = webhooksRoute.useNavigate();
  const remove = useWrite(
    (api) => api.delete('/webhooks/{endpoint_id}', { params: { path: { endpoint_id: id } } }),
    { changes: ['/webhooks', '/audit-log'], removes: '/webhooks/{endpoint_id}', says: text.delete.done },
  );
  return (
    <ConfirmWrite
      approval="webhook_endpoint.delete"
      write={remove}
      isOpen={isOpen}
      onClose={onClose}
      words={text.delete}
      typedName={url}
      onDone={() => void navigate({ to: webhooksRoute.to, search: {} })}
    />
  );
}
