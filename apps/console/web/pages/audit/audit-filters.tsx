import { type ReactElement, useState } from 'react';
import { usePreferences } from '../../app/preferences';
import { formatInstant, fromInputTime, toInputTime } from '../../format/time';
import { shortId } from '../../format/ids';
import { Button } from '../../ui/button/button';
import { Form } from '../../ui/fields/form';
import { TextField } from '../../ui/fields/text-field';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { auditRoute } from './route';
import { schema, type AuditAddress, type FilterKey } from './schema';
import { text } from './text';

/** The filters of the log. What they are set to is the address. */
export function AuditFilters(): ReactElement {
  const search = auditRoute.useSearch();
  const navigate = auditRoute.useNavigate();
  const { zone } = usePreferences();
  const set = (change: AuditAddress) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const shown = (key: FilterKey, value: string): string => {
    if (key === 'action') return value;
    return key === 'actor' || key === 'target' ? shortId(value) : formatInstant(new Date(value), zone);
  };
  const filterOf = (key: FilterKey): Filter => {
    const value = search[key];
    const onApply = (close: () => void) => (change: AuditAddress) => (set(change), close());
    return {
      key,
      label: text.filters[key],
      value: value === undefined ? null : shown(key, value),
      onClear: () => set({ [key]: undefined }),
      editor: (close) =>
        key === 'after' || key === 'before' ? (
          <InstantEditor of={key} value={value} onApply={onApply(close)} />
        ) : (
          <WordEditor of={key} value={value ?? ''} onApply={onApply(close)} />
        ),
    };
  };
  const filters = (Object.keys(schema) as FilterKey[]).map(filterOf);
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: {} })} />;
}

interface WordEditorProps {
  readonly of: 'action' | 'actor' | 'target';
  readonly value: string;
  readonly onApply: (change: AuditAddress) => void;
}

/** What the address would drop is refused here. */
function WordEditor({ of, value, onApply }: WordEditorProps): ReactElement {
  const [typed, setTyped] = useState(value);
  const [problem, setProblem] = useState<string | null>(null);
  const apply = () => {
    const word = typed.trim();
    const read = word === '' ? undefined : schema[of]([word]);
    if (word !== '' && read === undefined) setProblem(text.notValid);
    else onApply({ [of]: read });
  };
  return (
    <Form error={null} onSubmit={apply} actions={<Button type="submit">{text.apply}</Button>}>
      <TextField
        label={text.filters[of]}
        hint={text.hints[of]}
        problem={problem}
        value={typed}
        onChange={setTyped}
        maxLength={120}
      />
    </Form>
  );
}

interface InstantEditorProps {
  readonly of: 'after' | 'before';
  readonly value: string | undefined;
  readonly onApply: (change: AuditAddress) => void;
}

/** An instant by the clock that the reader chose. */
function InstantEditor({ of, value, onApply }: InstantEditorProps): ReactElement {
  const { zone } = usePreferences();
  const [typed, setTyped] = useState(value === undefined ? '' : toInputTime(new Date(value), zone));
  return (
    <Form
      error={null}
      onSubmit={() => onApply({ [of]: fromInputTime(typed, zone) ?? undefined })}
      actions={<Button type="submit">{text.apply}</Button>}
    >
      <TextField label={text.filters[of]} type="datetime-local" value={typed} onChange={setTyped} />
    </Form>
  );
}
