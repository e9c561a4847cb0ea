import { type ReactElement, useState } from 'react';
import { type WriteState } from '../../api/writes';
import { EventChoice } from '../../deliveries/event-choice';
import { eventsOf, isNoEvent, isSameEvents, typesOf } from '../../deliveries/events';
import { WriteForm } from '../../frame/write-form';
import { TextField } from '../../ui/fields/text-field';
import { text } from './text';
import { type Endpoint } from './webhook';

export type EndpointDraft = Pick<Endpoint, 'url' | 'description' | 'event_types'>;

interface EndpointFormProps {
  readonly initial: EndpointDraft;
  readonly isNew?: boolean;
  readonly write: WriteState;
  readonly onSubmit: (draft: EndpointDraft) => void;
}

const words = text.form;

/** Where events are sent, and which. */
export function EndpointForm(props: EndpointFormProps): ReactElement {
  const { initial, isNew = false, write, onSubmit } = props;
  const [url, setUrl] = useState(initial.url);
  const [description, setDescription] = useState(initial.description);
  const [events, setEvents] = useState(() => eventsOf(initial.event_types));
  const [isTried, setTried] = useState(false);
  const isSame =
    url === initial.url && description === initial.description && isSameEvents(events, initial.event_types);
  const isUrlMissing = url.trim() === '';
  const submit = () => {
    setTried(true);
    if (isUrlMissing || isNoEvent(events)) return;
    onSubmit({ url: url.trim(), description: description.trim(), event_types: typesOf(events) });
  };
  return (
    <WriteForm
      approval={isNew ? 'webhook_endpoint.create' : 'webhook_endpoint.update'}
      label={isNew ? words.createTitle : words.editTitle}
      write={write}
      isChanged={!isSame}
      action={isNew ? words.create : words.save}
      onSubmit={submit}
    >
      <TextField
        name="url"
        label={words.url}
        hint={words.urlHint}
        inputMode="url"
        spellCheck={false}
        value={url}
        problem={isTried && isUrlMissing ? words.noUrl : null}
        onChange={setUrl}
      />
      <TextField name="description" label={words.description} value={description} onChange={setDescription} />
      <EventChoice value={events} onChange={setEvents} isTried={isTried} />
    </WriteForm>
  );
}
