import { type ReactElement, useState } from 'react';
import { text as textParameter } from '../../app/address';
import { InstantEditor } from '../../app/instant-editor';
import { usePreferences } from '../../app/preferences';
import { formatInstant } from '../../format/time';
import { visibleText } from '../../format/visible-text';
import { Button } from '../../ui/button/button';
import { SelectField } from '../../ui/fields/select-field';
import { TextField } from '../../ui/fields/text-field';
import { Form } from '../../ui/fields/form';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { deliveriesRoute } from './route';
import { statusWords, text } from './text';
import { statuses } from './webhook';

type Address = ReturnType<typeof deliveriesRoute.useSearch>;
const labels = text.filters;

/** The filters of the deliveries. What they are set to is the address. */
export function DeliveryFilters(): ReactElement {
  const { status, type, after, before } = deliveriesRoute.useSearch();
  const { zone } = usePreferences();
  const navigate = deliveriesRoute.useNavigate();
  const set = (change: Partial<Address>) => void navigate({ search: (held) => ({ ...held, ...change }) });
  const spans = (['after', 'before'] as const).map((key): Filter => {
    const value = { after, before }[key];
    return {
      key,
      label: labels[key],
      value: value === undefined ? null : formatInstant(new Date(value), zone),
      onClear: () => set({ [key]: undefined }),
      editor: (close) => (
        <InstantEditor
          label={labels[key]}
          value={value}
          action={text.apply}
          onApply={(at) => (set({ [key]: at }), close())}
        />
      ),
    };
  });
  const ofStatus: Filter = {
    key: 'status',
    label: labels.status,
    value: status === undefined ? null : statusWords[status],
    onClear: () => set({ status: undefined }),
    editor: (close) => (
      <SelectField
        label={labels.status}
        value={status ?? null}
        onChange={(next) => (set({ status: next }), close())}
        choices={statuses.map((value) => ({ value, label: statusWords[value] }))}
      />
    ),
  };
  const ofType: Filter = {
    key: 'type',
    label: labels.type,
    value: type === undefined ? null : visibleText(type),
    onClear: () => set({ type: undefined }),
    editor: (close) => (
      <Editor
        label={labels.type}
        value={type ?? ''}
        onApply={(name) => (set({ type: textParameter([name.trim()]) }), close())}
      />
    ),
  };
  return (
    <FilterBar filters={[ofStatus, ofType, ...spans]} onClearAll={() => void navigate({ search: {} })} />
  );
}

function Editor(props: {
  readonly label: string;
  readonly value: string;
  readonly onApply: (typed: string) => void;
}): ReactElement {
  const { label, value, onApply } = props;
  const [typed, setTyped] = useState(value);
  return (
    <Form error={null} onSubmit={() => onApply(typed)} actions={<Button type="submit">{text.apply}</Button>}>
      <TextField label={label} value={typed} onChange={setTyped} />
    </Form>
  );
}
