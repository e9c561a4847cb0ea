import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { ConfirmWrite } from '../../frame/confirm-write';
import { Button } from '../../ui/button/button';
import { ErrorNote } from '../../ui/states/error-note';
import { type Integration } from './integration';
import { IntegrationDialog } from './integration-form';
import { integrationDeliveryRoute, integrationRoute, integrationsRoute } from './route';
import { text } from './text';

const words = text.one;
interface ActionProps {
  readonly integration: Integration;
}

/** Actions on an integration. */
export function IntegrationActions({ integration }: ActionProps): ReactElement {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <SendTest integration={integration} />
      <PauseButton integration={integration} />
      <Button onClick={() => setOpen('edit')}>{words.edit}</Button>
      <Button variant="danger" onClick={() => setOpen('delete')}>
        {words.delete}
      </Button>
      <IntegrationDialog integration={integration} isOpen={open === 'edit'} onClose={close} />
      <DeleteIntegration integration={integration} isOpen={open === 'delete'} onClose={close} />
    </>
  );
}

/** The test opens, so that one sees it arrive, or why it did not. */
function SendTest({ integration: { id } }: ActionProps): ReactElement {
  const navigate = integrationRoute.useNavigate();
  const test = useWrite(
    (api) => api.post('/integrations/{integration_id}/test', { params: { path: { integration_id: id } } }),
    { changes: [], says: words.tested },
  );
  const send = async () => {
    const delivery = await test.run(undefined);
    if (delivery !== null)
      await navigate({
        to: integrationDeliveryRoute.to,
        params: { integrationId: id, deliveryId: delivery.id },
      });
  };
  return (
    <>
      <Button isBusy={test.isBusy} onClick={() => void send()}>
        {words.test}
      </Button>
      <ErrorNote error={test.error} />
    </>
  );
}

function PauseButton({ integration: { id, enabled } }: ActionProps): ReactElement {
  const params = { path: { integration_id: id } };
  const toggle = useWrite(
    (api, isOn: boolean) => api.patch('/integrations/{integration_id}', { params, body: { enabled: isOn } }),
    {
      changes: ['/integrations', '/audit-log'],
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

interface DeleteProps extends ActionProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function DeleteIntegration({ integration: { id }, isOpen, onClose }: DeleteProps): ReactElement {
  const navigate = integrationsRoute.useNavigate();
  const params = { path: { integration_id: id } };
  const remove = useWrite((api) => api.delete('/integrations/{integration_id}', { params }), {
    changes: ['/integrations', '/alert-rules', '/audit-log'],
    removes: '/integrations/{integration_id}',
    says: text.remove.done,
  });
  return (
    <ConfirmWrite
      approval="integration.delete"
      write={remove}
      isOpen={isOpen}
      onClose={onClose}
      words={text.remove}
      onDone={() => void navigate({ to: integrationsRoute.to, search: {} })}
    />
  );
}
