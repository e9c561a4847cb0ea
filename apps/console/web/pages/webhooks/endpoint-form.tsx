import { type ReactElement, useState } from 'react';
import { useFormDialog } from '../../app/form-dialog';
import { Button } from '../../ui/button/button';
import { RadioGroup } from '../../ui/fields/check-field';
import { Form } from '../../ui/fields/form';
import { Group } from '../../ui/fields/group';
import { TextField } from '../../ui/fields/text-field';
import { EventTree } from './event-tree';
import { text } from './text';
import { type Endpoint } from './webhook';

export type EndpointDraft = Pick<Endpoint, 'url' | 'description' | 'event_types'>;

export interface EndpointFormProps {
  readonly initial: EndpointDraft;
  readonly isNew?: boolean;
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly onSubmit: (draft: EndpointDraft) => void;
}

const words = text.form;

/** Where events are sent, and which. */
export function EndpointForm(props: EndpointFormProps): ReactElement {
  const { initial, isNew = false, error, isBusy, onSubmit } = props;
  const [url, setUrl] = useState(initial.url);
  const [description, setDescription] = useState(initial.description);
  const [isEvery, setEvery] = useState(initial.event_types.length === 0);
  const [chosen, setChosen] = useState<readonly string[]>(initial.event_types);
  const [isTried, setTried] = useState(false);
  const types = isEvery ? [] : [...chosen];
  const isSame =
    url === initial.url &&
    description === initial.description &&
    [...types].sort().join() === [...initial.event_types].sort().join();
  const cancel = useFormDialog(!isSame);
  const isUrlMissing = url.trim() === '';
  const isNoneChosen = !isEvery && chosen.length === 0;
  const submit = () => {
    setTried(true);
    if (isUrlMissing || isNoneChosen || isBusy) return;
    onSubmit({ url: url.trim(), description: description.trim(), event_types: types });
  };
  return (
    <Form
      label={isNew ? words.createTitle : words.editTitle}
      error={error}
      onSubmit={submit}
      actions={
        <>
          <Button onClick={cancel}>{words.cancel}</Button>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {isNew ? words.create : words.save}
          </Button>
        </>
      }
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
      <Group name="event_types" problem={isTried && isNoneChosen ? words.noEvent : null}>
        <RadioGroup
          label={words.events}
          value={isEvery ? 'every' : 'chosen'}
          onChange={(which) => setEvery(which === 'every')}
          choices={[
            { value: 'every', ...words.every },
            { value: 'chosen', ...words.chosen },
          ]}
        />
        {!isEvery && <EventTree chosen={chosen} onChange={setChosen} />}
      </Group>
    </Form>
  );
}
