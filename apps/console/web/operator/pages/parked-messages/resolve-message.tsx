import { type ReactElement } from 'react';
import { formatCount } from '../../../format/numbers';
import { visibleText } from '../../../format/visible-text';
import { ConfirmWrite } from '../../../frame/confirm-write';
import { Facts } from '../../../frame/page';
import { Id, Name } from '../../../ui/text/id';
import { useWrite, type OperatorApi, type Schemas } from '../../api/use-api';
import { text } from './text';

export type Message = Schemas['ParkedMessage'];

interface ResolveMessageProps {
  readonly message: Message;
  readonly act: 'requeue' | 'discard';
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function ResolveMessage({ message, act, isOpen, onClose }: ResolveMessageProps): ReactElement {
  const words = text[act];
  const params = { path: { parked_message_id: message.id } };
  const resolve = useWrite(
    (api: OperatorApi) => api.post(`/parked-messages/{parked_message_id}/${act}`, { params }),
    { changes: ['/parked-messages', '/health'], says: words.done },
  );
  return (
    <ConfirmWrite
      write={resolve}
      isOpen={isOpen}
      onClose={onClose}
      words={words}
      isDanger={act === 'discard'}
    >
      <MessageFacts of={message} />
    </ConfirmWrite>
  );
}

function MessageFacts({ of }: { readonly of: Message }): ReactElement {
  const words = text.facts;
  return (
    <Facts
      of={[
        [words.event, of.event_type === null ? text.noEvent : visibleText(of.event_type)],
        [words.consumer, <Name key="">{of.consumer}</Name>],
        [words.reason, <Name key="">{of.reason}</Name>],
        [words.place, visibleText(text.place(of.topic, of.partition, of.offset))],
        [words.size, text.bytes(formatCount(of.payload_bytes))],
        [words.id, <Id key="" id={of.id} />],
      ]}
    />
  );
}
