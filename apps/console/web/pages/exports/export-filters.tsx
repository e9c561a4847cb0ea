import { type ReactElement } from 'react';
import { SelectField } from '../../ui/fields/select-field';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { exportKinds, exportStates } from './export';
import { exportsRoute } from './route';
import { kindWords, stateWords, text } from './text';

type Address = ReturnType<typeof exportsRoute.useSearch>;

/** The filters of the list. What they are set to is the address. */
export function ExportFilters(): ReactElement {
  const { state, kind } = exportsRoute.useSearch();
  const navigate = exportsRoute.useNavigate();
  const set = (change: Partial<Address>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const labels = text.filters;
  const filters: readonly Filter[] = [
    {
      key: 'kind',
      label: labels.kind,
      value: kind === undefined ? null : kindWords[kind],
      onClear: () => set({ kind: undefined }),
      editor: (close) => (
        <SelectField
          label={labels.kind}
          value={kind ?? null}
          onChange={(next) => (set({ kind: next }), close())}
          choices={exportKinds.map((value) => ({ value, label: kindWords[value] }))}
        />
      ),
    },
    {
      key: 'state',
      label: labels.state,
      value: state === undefined ? null : stateWords[state],
      onClear: () => set({ state: undefined }),
      editor: (close) => (
        <SelectField
          label={labels.state}
          value={state ?? null}
          onChange={(next) => (set({ state: next }), close())}
          choices={exportStates.map((value) => ({ value, label: stateWords[value] }))}
        />
      ),
    },
  ];
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: {} })} />;
}
