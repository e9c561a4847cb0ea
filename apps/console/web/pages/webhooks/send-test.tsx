import { type ReactElement, useState } from 'react';
import { stringifyExact } from '../../api/exact-json';
import { useWrite } from '../../api/use-write';
import { type EventType } from '../../deliveries/event-nouns';
import { text as deliveryText } from '../../deliveries/text';
import { useEventTypes } from '../../deliveries/use-event-types';
import { WriteForm } from '../../frame/write-form';
import { ComboboxField } from '../../ui/fields/combobox-field';
import { Result } from '../../ui/states/result';
import { CodeSample } from '../../ui/text/code-sample';
import { deliveryRoute, endpointRoute } from './route';
import { text } from './text';

const words = text.test;
const TEST = 'webhook.test';

interface SendTestProps {
  readonly endpointId: string;
  readonly onClose: () => void;
}

/** Sends a test, with the example of an event if one is chosen. The test opens, so that one sees it arrive. */
export function SendTest({ endpointId, onClose }: SendTestProps): ReactElement {
  const navigate = endpointRoute.useNavigate();
  const types = useEventTypes();
  const [type, setType] = useState<string | null>(null);
  const params = { path: { endpoint_id: endpointId } };
  const test = useWrite(
    (api, body: { event_type?: string }) => api.post('/webhooks/{endpoint_id}/test', { params, body }),
    { changes: [], says: words.done },
  );
  const send = async () => {
    const delivery = await test.run(type === null ? {} : { event_type: type });
    if (delivery === null) return;
    onClose();
    await navigate({ to: deliveryRoute.to, params: { endpointId, deliveryId: delivery.id } });
  };
  return (
    <WriteForm write={test} isChanged={false} action={text.one.test} onSubmit={() => void send()}>
      <Result of={types} lines={3}>
        {({ data }) => <ExampleField types={data} value={type} onChange={setType} />}
      </Result>
    </WriteForm>
  );
}

interface ExampleFieldProps {
  readonly types: readonly EventType[];
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

function ExampleField({ types, value, onChange }: ExampleFieldProps): ReactElement {
  const chosen = types.find(({ type }) => type === value);
  return (
    <>
      <ComboboxField
        name="event_type"
        label={words.example}
        placeholder={words.none}
        value={value}
        onChange={onChange}
        choices={types
          .filter(({ type }) => type !== TEST)
          .map(({ type, description }) => ({ value: type, label: type, note: description }))}
      />
      {chosen !== undefined && (
        <CodeSample
          label={deliveryText.events.exampleLabel(chosen.type)}
          code={stringifyExact({ type: chosen.type, data: chosen.example.data }, 2)}
        />
      )}
    </>
  );
}
