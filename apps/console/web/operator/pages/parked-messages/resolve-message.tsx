import { type ReactElement } from 'react';
import { Facts } from '../../../app/page';
import { formatCount } from '../../../format/numbers';
import { visibleText } from '../../../format/visible-text';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog';
import { Id, Name } from '../../../ui/text/id';
import { useWrite, type OperatorApi, type Schemas } from '../../api/use-api';
import { text } from './text';

export type Message = Schemas['ParkedMessage'];

export interface MessageDialogProps {
  readonly message: Message;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const CHANGED = ['/parked-messages', '/health'];

export function RequeueMessage({ message, isOpen, onClose }: MessageDialogProps): ReactElement {
  const words = text.requeue;
  const params = { path: { parked_message_id: message.id } };
  const requeue = useWrite(
    (api: OperatorApi) => api.post('/parked-messages/{parked_message_id}/requeue', { params }),
    { changes: CHANGED, says: words.done },
  );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={words.title}
      action={words.action}
      isDanger={false}
      isBusy={requeue.isBusy}
      error={requeue.error}
      onConfirm={() => void requeue.run(undefined).then((done) => done !== null && onClose())}
    >
      <p>{words.effect}</p>
      <MessageFacts of={message} />
    </ConfirmDialog>
  );
}

export function DiscardMessage({ message, isOpen, onClose }: MessageDialogProps): ReactElement {
  const words = text.discard;
  const params = { path: { parked_message_id: message.id } };
  const discard = useWrite(
    (api: OperatorApi) => api.post('/parked-messages/{parked_message_id}/discard', { params }),
    { changes: CHANGED, says: words.done },
  );
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={words.title}
      action={words.action}
      isBusy={discard.isBusy}
      error={discard.error}
      onConfirm={() => void discard.run(undefined).then((done) => done !== null && onClose())}
    >
      <p>{words.effect}</p>
      <MessageFacts of={message} />
    </ConfirmDialog>
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
