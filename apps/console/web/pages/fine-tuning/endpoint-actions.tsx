import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { ConfirmWrite } from '../../frame/confirm-write';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { formatExactMoney } from '../../format/money';
import { Button } from '../../ui/button/button';
import {
  canStop,
  changeOf,
  isUp,
  limitsOf,
  missingLimits,
  type Limits,
  type TunedEndpoint,
} from './endpoint';
import { endpointText } from './endpoint-text';
import { LimitFields } from './limit-fields';
import { fineTuningRoute } from './route';

type Act = 'start' | 'stop' | 'change' | 'remove';
const CHANGED = ['/fine-tuning/endpoints', '/wallet', '/audit-log'];

/** Actions on an endpoint in its state. */
export function EndpointActions({ endpoint }: { readonly endpoint: TunedEndpoint }): ReactElement {
  const [open, setOpen] = useState<Act | null>(null);
  const close = () => setOpen(null);
  const isOff = !isUp(endpoint);
  return (
    <>
      {isOff ? (
        <Button
          variant="primary"
          disabledReason={endpoint.price_per_hour_nanos === null ? endpointText.cost.notOffered : null}
          onClick={() => setOpen('start')}
        >
          {endpointText.start.open}
        </Button>
      ) : (
        <Button
          disabledReason={canStop(endpoint) ? null : endpointText.stop.ending}
          onClick={() => setOpen('stop')}
        >
          {endpointText.stop.open}
        </Button>
      )}
      <Button onClick={() => setOpen('change')}>{endpointText.change.action}</Button>
      <Button
        variant="danger"
        disabledReason={isOff ? null : endpointText.remove.up}
        onClick={() => setOpen('remove')}
      >
        {endpointText.remove.open}
      </Button>
      <StartEndpoint endpoint={endpoint} isOpen={open === 'start'} onClose={close} />
      <StopEndpoint endpoint={endpoint} isOpen={open === 'stop'} onClose={close} />
      <FormDialog isOpen={open === 'change'} onClose={close} title={endpointText.change.title}>
        <ChangeLimits endpoint={endpoint} />
      </FormDialog>
      <RemoveEndpoint endpoint={endpoint} isOpen={open === 'remove'} onClose={close} />
    </>
  );
}

interface DialogProps {
  readonly endpoint: TunedEndpoint;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const pathOf = ({ id }: TunedEndpoint) => ({ path: { fine_tuning_endpoint_id: id } });

/** Asks before money is spent, and names the price. */
function StartEndpoint({ endpoint, ...dialog }: DialogProps): ReactElement {
  const words = endpointText.start;
  const params = pathOf(endpoint);
  const start = useWrite(
    (api) => api.post('/fine-tuning/endpoints/{fine_tuning_endpoint_id}/start', { params }),
    { changes: CHANGED, says: words.done },
  );
  return (
    <ConfirmWrite
      {...dialog}
      approval="fine_tuning_endpoint.start"
      isDanger={false}
      words={{ ...words, effect: words.effectAt(formatExactMoney(endpoint.price_per_hour_nanos ?? 0n)) }}
      write={start}
    />
  );
}

function StopEndpoint({ endpoint, ...dialog }: DialogProps): ReactElement {
  const words = endpointText.stop;
  const params = pathOf(endpoint);
  const stop = useWrite(
    (api) => api.post('/fine-tuning/endpoints/{fine_tuning_endpoint_id}/stop', { params }),
    { changes: CHANGED, says: words.done },
  );
  return <ConfirmWrite {...dialog} words={words} write={stop} />;
}

function RemoveEndpoint({ endpoint, ...dialog }: DialogProps): ReactElement {
  const words = endpointText.remove;
  const navigate = useNavigate();
  const params = pathOf(endpoint);
  const path = '/fine-tuning/endpoints/{fine_tuning_endpoint_id}';
  const remove = useWrite((api) => api.delete(path, { params }), {
    changes: ['/fine-tuning/endpoints', '/audit-log'],
    removes: path,
    says: words.done,
  });
  const leave = () => void navigate({ to: fineTuningRoute.to, search: { tab: 'endpoints' } });
  return <ConfirmWrite {...dialog} words={words} write={remove} onDone={leave} />;
}

/** The change holds for a run that is under way, too. */
function ChangeLimits({ endpoint }: { readonly endpoint: TunedEndpoint }): ReactElement {
  const [initial] = useState(() => limitsOf(endpoint));
  const [limits, setLimits] = useState<Limits>(initial);
  const [isTried, setTried] = useState(false);
  const done = useFormDone();
  const params = pathOf(endpoint);
  const change = useWrite(
    (api, body: ReturnType<typeof changeOf>) =>
      api.patch('/fine-tuning/endpoints/{fine_tuning_endpoint_id}', { params, body }),
    { changes: CHANGED, says: endpointText.change.done },
  );
  const submit = async () => {
    setTried(true);
    if (missingLimits(limits).size > 0) return;
    if ((await change.run(changeOf(limits))) !== null) done();
  };
  return (
    <WriteForm
      approval="fine_tuning_endpoint.update"
      label={endpointText.change.title}
      write={change}
      isChanged={limits !== initial}
      action={endpointText.change.submit}
      onSubmit={() => void submit()}
    >
      <LimitFields
        limits={limits}
        isTried={isTried}
        onChange={(next) => setLimits((before) => ({ ...before, ...next }))}
      />
    </WriteForm>
  );
}
