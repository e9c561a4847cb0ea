import { type ReactElement, useState } from 'react';
import { visibleText } from '../../format/visible-text';
import { Button } from '../../ui/button/button';
import { Form } from '../../ui/fields/form';
import { TextField } from '../../ui/fields/text-field';
import { choiceFilter } from '../../ui/filters/choice-filter';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { approvalsRoute, approvalStates } from './route';
import { stateWords, text } from './text';

type Address = ReturnType<typeof approvalsRoute.useSearch>;

/** The filters of the requests. What they are set to is the address. */
export function RequestFilters(): ReactElement {
  const { state, action, awaiting } = approvalsRoute.useSearch();
  const navigate = approvalsRoute.useNavigate();
  const set = (change: Partial<Address>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const labels = text.filters;
  const filters: readonly Filter[] = [
    {
      key: 'awaiting',
      label: labels.awaiting,
      value: awaiting === undefined ? null : labels.me,
      onClear: () => set({ awaiting: undefined }),
      editor: (close) => <Button onClick={() => (set({ awaiting: 'me' }), close())}>{labels.me}</Button>,
    },
    choiceFilter({
      key: 'state',
      label: labels.state,
      value: state,
      choices: approvalStates,
      words: stateWords,
      onChange: (next) => set({ state: next }),
    }),
    {
      key: 'action',
      label: labels.action,
      value: action === undefined ? null : visibleText(action),
      onClear: () => set({ action: undefined }),
      editor: (close) => (
        <ActionEditor value={action ?? ''} onApply={(typed) => (set({ action: typed }), close())} />
      ),
    },
  ];
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: {} })} />;
}

interface ActionEditorProps {
  readonly value: string;
  readonly onApply: (typed: string | undefined) => void;
}

function ActionEditor({ value, onApply }: ActionEditorProps): ReactElement {
  const [typed, setTyped] = useState(value);
  return (
    <Form
      error={null}
      onSubmit={() => onApply(typed.trim() === '' ? undefined : typed.trim())}
      actions={<Button type="submit">{text.apply}</Button>}
    >
      <TextField
        label={text.filters.action}
        hint={text.filters.actionHint}
        value={typed}
        onChange={setTyped}
        maxLength={100}
      />
    </Form>
  );
}
