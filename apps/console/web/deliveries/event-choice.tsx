import { type ReactElement } from 'react';
import { RadioGroup } from '../ui/fields/check-field';
import { Group } from '../ui/fields/group';
import { EventTree } from './event-tree';
import { isNoEvent, type Events } from './events';
import { text } from './text';

const words = text.events;

interface EventChoiceProps {
  readonly value: Events;
  readonly onChange: (value: Events) => void;
  /** Whether saving was tried: then choosing none is told. */
  readonly isTried: boolean;
}

/** Which events are sent: every one, or some of the tree. */
export function EventChoice({ value, onChange, isTried }: EventChoiceProps): ReactElement {
  return (
    <Group name="event_types" problem={isTried && isNoEvent(value) ? words.none : null}>
      <RadioGroup
        label={words.label}
        value={value.isEvery ? 'every' : 'chosen'}
        onChange={(which) => onChange({ ...value, isEvery: which === 'every' })}
        choices={[
          { value: 'every', ...words.every },
          { value: 'chosen', ...words.chosen },
        ]}
      />
      {!value.isEvery && (
        <EventTree chosen={value.chosen} onChange={(chosen) => onChange({ ...value, chosen })} />
      )}
    </Group>
  );
}
