import { type ReactElement } from 'react';
import { choiceFilter } from '../../ui/filters/choice-filter';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { metrics } from './metrics';
import { alertsRoute, ruleStates } from './route';
import { metricWords, ruleStateWords, text } from './text';

type Address = ReturnType<typeof alertsRoute.useSearch>;

/** The filters of the rules. What they are set to is the address. */
export function RuleFilters(): ReactElement {
  const { metric, standing, enabled } = alertsRoute.useSearch();
  const navigate = alertsRoute.useNavigate();
  const set = (change: Partial<Address>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const labels = text.filters;
  const yesNo = { true: text.rules.enabled, false: text.rules.disabled };
  const filters: readonly Filter[] = [
    choiceFilter({
      key: 'metric',
      label: labels.metric,
      value: metric,
      choices: metrics,
      words: metricWords,
      onChange: (next) => set({ metric: next }),
    }),
    choiceFilter({
      key: 'standing',
      label: labels.state,
      value: standing,
      choices: ruleStates,
      words: ruleStateWords,
      onChange: (next) => set({ standing: next }),
    }),
    choiceFilter({
      key: 'enabled',
      label: labels.enabled,
      value: enabled,
      choices: ['true', 'false'],
      words: yesNo,
      onChange: (next) => set({ enabled: next }),
    }),
  ];
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: { tab: 'rules' } })} />;
}
