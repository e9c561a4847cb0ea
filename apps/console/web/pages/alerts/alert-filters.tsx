import { type ReactElement, useState } from 'react';
import { isId } from '@svc/kernel';
import { shortId } from '../../format/ids';
import { Button } from '../../ui/button/button';
import { Form } from '../../ui/fields/form';
import { TextField } from '../../ui/fields/text-field';
import { choiceFilter } from '../../ui/filters/choice-filter';
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
    choiceFilter({
      key: 'state',
      label: labels.state,
      value: state,
      choices: ['firing', 'resolved'],
      words: alertStateWords,
      onChange: (next) => set({ state: next }),
    }),
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
