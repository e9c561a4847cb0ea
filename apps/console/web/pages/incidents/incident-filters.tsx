import { type ReactElement } from 'react';
import { choiceFilter } from '../../ui/filters/choice-filter';
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
    choiceFilter({
      key: 'state',
      label: labels.state,
      value: state,
      choices: ['open', 'resolved'],
      words: states,
      onChange: (next) => set({ state: next }),
    }),
    choiceFilter({
      key: 'severity',
      label: labels.severity,
      value: severity,
      choices: ['minor', 'major', 'critical'],
      words: severityWords,
      onChange: (next) => set({ severity: next }),
    }),
  ];
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: {} })} />;
}
