import { type ReactElement, useState } from 'react';
import { idOf, text as textParameter } from '../app/address';
import { InstantEditor } from '../app/instant-editor';
import { usePreferences } from '../app/preferences';
import { formatInstant } from '../format/time';
import { visibleText } from '../format/visible-text';
import { Button } from '../ui/button/button';
import { TextField } from '../ui/fields/text-field';
import { Form } from '../ui/fields/form';
import { choiceFilter } from '../ui/filters/choice-filter';
import { FilterBar, type Filter } from '../ui/filters/filter-bar';
import { statuses, type DeliveryAddress } from './delivery';
import { statusWords, text } from './text';

type Change = { readonly [Name in keyof DeliveryAddress]?: DeliveryAddress[Name] | undefined };
const labels = text.filters;

export interface DeliveryFiltersProps {
  readonly address: DeliveryAddress;
  /** Null clears all. */
  readonly onChange: (change: Change | null) => void;
}

/** The filters of deliveries. What they are set to is the address. */
export function DeliveryFilters({ address, onChange }: DeliveryFiltersProps): ReactElement {
  const { status, type, event } = address;
  const { zone } = usePreferences();
  const spans = (['after', 'before'] as const).map((key): Filter => {
    const value = address[key];
    return {
      key,
      label: labels[key],
      value: value === undefined ? null : formatInstant(new Date(value), zone),
      onClear: () => onChange({ [key]: undefined }),
      editor: (close) => (
        <InstantEditor
          label={labels[key]}
          value={value}
          action={labels.apply}
          onApply={(at) => (onChange({ [key]: at }), close())}
        />
      ),
    };
  });
  const ofStatus: Filter = choiceFilter({
    key: 'status',
    label: labels.status,
    value: status,
    choices: statuses,
    words: statusWords,
    onChange: (next) => onChange({ status: next }),
  });
  const ofType: Filter = {
    key: 'type',
    label: labels.type,
    value: type === undefined ? null : visibleText(type),
    onClear: () => onChange({ type: undefined }),
    editor: (close) => (
      <Editor
        label={labels.type}
        value={type ?? ''}
        onApply={(name) => (onChange({ type: textParameter([name.trim()]) }), close())}
      />
    ),
  };
  const ofEvent: Filter = {
    key: 'event',
    label: labels.event,
    value: event ?? null,
    onClear: () => onChange({ event: undefined }),
    editor: (close) => (
      <Editor
        label={labels.event}
        value={event ?? ''}
        onApply={(id) => (onChange({ event: idOf('event')([id.trim()]) }), close())}
      />
    ),
  };
  return <FilterBar filters={[ofStatus, ofType, ofEvent, ...spans]} onClearAll={() => onChange(null)} />;
}

function Editor(props: {
  readonly label: string;
  readonly value: string;
  readonly onApply: (typed: string) => void;
}): ReactElement {
  const { label, value, onApply } = props;
  const [typed, setTyped] = useState(value);
  return (
    <Form
      error={null}
      onSubmit={() => onApply(typed)}
      actions={<Button type="submit">{labels.apply}</Button>}
    >
      <TextField label={label} value={typed} onChange={setTyped} />
    </Form>
  );
}
