import { type ReactElement } from 'react';
import { idOf } from '../../browser/address';
import { shortId } from '../../format/ids';
import { choiceFilter } from '../../ui/filters/choice-filter';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { wordFilter } from '../../ui/filters/word-filter';
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
    wordFilter({
      key: 'rule',
      label: labels.rule,
      hint: labels.ruleHint,
      value: rule,
      shown: shortId,
      takes: idOf('alertRule'),
      onChange: (next) => set({ rule: next }),
    }),
  ];
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: {} })} />;
}
