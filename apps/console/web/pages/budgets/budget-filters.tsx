import { isId } from '@svc/kernel';
import { type ReactElement, useState } from 'react';
import { useNames } from '../../api/use-names';
import { shortId } from '../../format/ids';
import { visibleText } from '../../format/visible-text';
import { Button } from '../../ui/button/button';
import { SelectField } from '../../ui/fields/select-field';
import { TextField } from '../../ui/fields/text-field';
import { Form } from '../../ui/fields/form';
import { choiceFilter } from '../../ui/filters/choice-filter';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { budgetsRoute } from './route';
import { scopeWords, text } from './text';

type Address = ReturnType<typeof budgetsRoute.useSearch>;
const labels = text.filters;

/** The filters of the list. What they are set to is the address. */
export function BudgetFilters(): ReactElement {
  const { scope, enabled, key } = budgetsRoute.useSearch();
  const navigate = budgetsRoute.useNavigate();
  const names = useNames('/keys', [key]);
  const set = (change: Partial<Address>) => void navigate({ search: (held) => ({ ...held, ...change }) });
  const filters: readonly Filter[] = [
    choiceFilter({
      key: 'scope',
      label: labels.scope,
      value: scope,
      choices: ['organization', 'project', 'api_key'],
      words: scopeWords,
      onChange: (next) => set({ scope: next }),
    }),
    {
      key: 'enabled',
      label: labels.enabled,
      value: enabled === undefined ? null : enabled ? text.yes : text.no,
      onClear: () => set({ enabled: undefined }),
      editor: (close) => (
        <SelectField
          label={labels.enabled}
          value={enabled === undefined ? null : enabled ? 'true' : 'false'}
          onChange={(next) => (set({ enabled: next === 'true' }), close())}
          choices={[
            { value: 'true', label: text.yes },
            { value: 'false', label: text.no },
          ]}
        />
      ),
    },
    {
      key: 'key',
      label: labels.key,
      value: key === undefined ? null : visibleText(names.get(key) ?? shortId(key)),
      onClear: () => set({ key: undefined }),
      editor: (close) => <KeyEditor value={key ?? ''} onApply={(id) => (set({ key: id }), close())} />,
    },
  ];
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: {} })} />;
}

function KeyEditor(props: {
  readonly value: string;
  readonly onApply: (id: Address['key']) => void;
}): ReactElement {
  const [typed, setTyped] = useState(props.value);
  const [isTried, setTried] = useState(false);
  const id = typed.trim();
  const apply = () => {
    if (id === '') props.onApply(undefined);
    else if (isId('apiKey', id)) props.onApply(id);
    else setTried(true);
  };
  return (
    <Form error={null} onSubmit={apply} actions={<Button type="submit">{text.apply}</Button>}>
      <TextField
        label={labels.key}
        hint={text.keyHint}
        problem={isTried && !isId('apiKey', id) ? text.notAKey : null}
        value={typed}
        onChange={setTyped}
        maxLength={100}
      />
    </Form>
  );
}
