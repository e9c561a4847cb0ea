import { type ReactElement, useState } from 'react';
import { isId } from '@svc/kernel';
import { shortId } from '../../format/ids';
import { Button } from '../../ui/button/button';
import { Form } from '../../ui/fields/form';
import { SelectField } from '../../ui/fields/select-field';
import { TextField } from '../../ui/fields/text-field';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { alertsRoute } from './route';
import { alertStateWords, text } from './text';

type Address = ReturnType<typeof alertsRoute.useSearch>;

/** The filters of the alerts. What they are set to is the address. */
export function AlertFilters(): ReactElement {
  const { state, rule } = alertsRoute.useSearch();
  const navigate = alertsRoute.useNavigate();
  const set = (change: Partial<Address>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const labels = text.filters;
  const filters: readonly Filter[] = [
    {
      key: 'state',
      label: labels.state,
      value: state === undefined ? null : alertStateWords[state],
      onClear: () => set({ state: undefined }),
      editor: (close) => (
        <SelectField
          label={labels.state}
          value={state ?? null}
          onChange={(next) => (set({ state: next }), close())}
          choices={[
            { value: 'firing', label: alertStateWords.firing },
            { value: 'resolved', label: alertStateWords.resolved },
          ]}
        />
      ),
    },
    {
      key: 'rule',
      label: labels.rule,
      value: rule === undefined ? null : shortId(rule),
      onClear: () => set({ rule: undefined }),
      editor: (close) => <RuleEditor onApply={(id) => (set({ rule: id }), close())} />,
    },
  ];
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: {} })} />;
}

function RuleEditor({ onApply }: { readonly onApply: (id: Address['rule']) => void }): ReactElement {
  const [typed, setTyped] = useState('');
  const id = typed.trim();
  return (
    <Form
      error={null}
      onSubmit={() => isId('alertRule', id) && onApply(id)}
      actions={<Button type="submit">{text.apply}</Button>}
    >
      <TextField label={text.filters.rule} hint={text.filters.ruleHint} value={typed} onChange={setTyped} />
    </Form>
  );
}
