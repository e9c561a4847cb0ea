import { type ReactElement } from 'react';
import { SelectField } from '../../ui/fields/select-field';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { incidentsRoute } from './route';
import { severityWords, stateWords, text } from './text';

type Address = ReturnType<typeof incidentsRoute.useSearch>;
const states = { open: text.open, resolved: stateWords.resolved } as const;

/** The filters of the list. What they are set to is the address. */
export function IncidentFilters(): ReactElement {
  const { state, severity } = incidentsRoute.useSearch();
  const navigate = incidentsRoute.useNavigate();
  const set = (change: Partial<Address>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const labels = text.filters;
  const filters: readonly Filter[] = [
    {
      key: 'state',
      label: labels.state,
      value: state === undefined ? null : states[state],
      onClear: () => set({ state: undefined }),
      editor: (close) => (
        <SelectField
          label={labels.state}
          value={state ?? null}
          onChange={(next) => (set({ state: next }), close())}
          choices={(['open', 'resolved'] as const).map((value) => ({ value, label: states[value] }))}
        />
      ),
    },
    {
      key: 'severity',
      label: labels.severity,
      value: severity === undefined ? null : severityWords[severity],
      onClear: () => set({ severity: undefined }),
      editor: (close) => (
        <SelectField
          label={labels.severity}
          value={severity ?? null}
          onChange={(next) => (set({ severity: next }), close())}
          choices={(['minor', 'major', 'critical'] as const).map((value) => ({
            value,
            label: severityWords[value],
          }))}
        />
      ),
    },
  ];
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: {} })} />;
}
