import { type ReactElement } from 'react';
import { text as anyText } from '../../browser/address';
import { Button } from '../../ui/button/button';
import { choiceFilter } from '../../ui/filters/choice-filter';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { wordFilter } from '../../ui/filters/word-filter';
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
    wordFilter({
      key: 'action',
      label: labels.action,
      hint: labels.actionHint,
      value: action,
      takes: anyText,
      onChange: (next) => set({ action: next }),
    }),
  ];
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: {} })} />;
}
