import { type ReactElement } from 'react';
import { SelectField } from '../../ui/fields/select-field';
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
    {
      key: 'metric',
      label: labels.metric,
      value: metric === undefined ? null : metricWords[metric],
      onClear: () => set({ metric: undefined }),
      editor: (close) => (
        <SelectField
          label={labels.metric}
          value={metric ?? null}
          onChange={(next) => (set({ metric: next }), close())}
          choices={metrics.map((value) => ({ value, label: metricWords[value] }))}
        />
      ),
    },
    {
      key: 'standing',
      label: labels.state,
      value: standing === undefined ? null : ruleStateWords[standing],
      onClear: () => set({ standing: undefined }),
      editor: (close) => (
        <SelectField
          label={labels.state}
          value={standing ?? null}
          onChange={(next) => (set({ standing: next }), close())}
          choices={ruleStates.map((value) => ({ value, label: ruleStateWords[value] }))}
        />
      ),
    },
    {
      key: 'enabled',
      label: labels.enabled,
      value: enabled === undefined ? null : yesNo[enabled],
      onClear: () => set({ enabled: undefined }),
      editor: (close) => (
        <SelectField
          label={labels.enabled}
          value={enabled ?? null}
          onChange={(next) => (set({ enabled: next }), close())}
          choices={[
            { value: 'true', label: yesNo.true },
            { value: 'false', label: yesNo.false },
          ]}
        />
      ),
    },
  ];
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: { tab: 'rules' } })} />;
}
