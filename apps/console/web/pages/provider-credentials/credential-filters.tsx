import { type ReactElement } from 'react';
import { ComboboxField } from '../../ui/fields/combobox-field';
import { choiceFilter } from '../../ui/filters/choice-filter';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { visibleText } from '../../format/visible-text';
import { states } from './credential';
import { credentialsRoute } from './route';
import { stateWords, text } from './text';
import { useProviders } from './use-providers';

type Address = ReturnType<typeof credentialsRoute.useSearch>;

/** The filters of the list. What they are set to is the address. */
export function CredentialFilters(): ReactElement {
  const { provider, state } = credentialsRoute.useSearch();
  const navigate = credentialsRoute.useNavigate();
  const providers = useProviders();
  const set = (change: Partial<Address>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const labels = text.filters;
  const filters: readonly Filter[] = [
    {
      key: 'provider',
      label: labels.provider,
      value: provider === undefined ? null : visibleText(provider),
      onClear: () => set({ provider: undefined }),
      editor: (close) => (
        <ComboboxField
          label={labels.provider}
          value={provider ?? null}
          onChange={(name) => (set({ provider: name ?? undefined }), close())}
          choices={providers.map(({ name }) => ({ value: name, label: name }))}
        />
      ),
    },
    choiceFilter({
      key: 'state',
      label: labels.state,
      value: state,
      choices: states,
      words: stateWords,
      onChange: (next) => set({ state: next }),
    }),
  ];
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: {} })} />;
}
