import { type ReactElement, useEffect, useRef, useState } from 'react';
import { type CatalogModel } from '../../api/use-catalog';
import { formatCount } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { ComboboxField } from '../../ui/fields/combobox-field';
import { NumberField } from '../../ui/fields/number-field';
import { SelectField } from '../../ui/fields/select-field';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { FilterForm } from '../../ui/filters/filter-form';
import { providersOf, type ModelFilter } from './matches';
import styles from './models.module.css';
import { operations } from './operations';
import { modelsRoute } from './route';
import { operationWords, text } from './text';

type SetFilter = (change: ModelFilter) => void;

/** The filters of the list. What they are set to is the address. */
export function ModelFilters({ models }: { readonly models: readonly CatalogModel[] }): ReactElement {
  const address = modelsRoute.useSearch();
  const navigate = modelsRoute.useNavigate();
  const set: SetFilter = (change) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const filters = [
    providerFilter(address, set, models),
    routeFilter(address, set),
    contextFilter(address, set),
    ...(models.some(({ eligible }) => eligible !== undefined) ? [eligibleFilter(address, set)] : []),
  ];
  return (
    <FilterBar filters={filters} onClearAll={() => void navigate({ search: {} })}>
      <Search />
    </FilterBar>
  );
}

/** Filters as one types. The history keeps the last words only. */
function Search(): ReactElement {
  const { q = '' } = modelsRoute.useSearch();
  const navigate = modelsRoute.useNavigate();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The address follows what is typed, and may be a letter behind.
    if (input.current !== null && input.current !== document.activeElement) input.current.value = q;
  }, [q]);
  const search = (words: string) => {
    const next = words.trim() || undefined;
    void navigate({ search: (before) => ({ ...before, q: next }), replace: true });
  };
  return (
    <input
      type="search"
      data-filter=""
      className={styles.search}
      aria-label={text.search}
      placeholder={text.search}
      autoComplete="off"
      spellCheck={false}
      maxLength={200}
      ref={input}
      defaultValue={q}
      onChange={({ target }) => search(target.value)}
    />
  );
}

function providerFilter({ provider }: ModelFilter, set: SetFilter, models: readonly CatalogModel[]): Filter {
  const label = text.filters.provider;
  return {
    key: 'provider',
    label,
    value: provider === undefined ? null : visibleText(provider),
    onClear: () => set({ provider: undefined }),
    editor: (close) => (
      <ComboboxField
        label={label}
        value={provider ?? null}
        onChange={(next) => (set({ provider: next ?? undefined }), close())}
        choices={providersOf(models).map((name) => ({ value: name, label: visibleText(name) }))}
      />
    ),
  };
}

function routeFilter({ route }: ModelFilter, set: SetFilter): Filter {
  const label = text.filters.route;
  return {
    key: 'route',
    label,
    value: route === undefined ? null : operationWords[route],
    onClear: () => set({ route: undefined }),
    editor: (close) => (
      <SelectField
        label={label}
        value={route ?? null}
        onChange={(next) => (set({ route: next }), close())}
        choices={operations.map((value) => ({ value, label: operationWords[value] }))}
      />
    ),
  };
}

function contextFilter({ context }: ModelFilter, set: SetFilter): Filter {
  return {
    key: 'context',
    label: text.filters.context,
    value: context === undefined ? null : text.model.tokens(formatCount(context)),
    onClear: () => set({ context: undefined }),
    editor: (close) => (
      <ContextEditor
        value={context ?? null}
        onApply={(tokens) => (set({ context: tokens ?? undefined }), close())}
      />
    ),
  };
}

function ContextEditor({
  value,
  onApply,
}: {
  readonly value: number | null;
  readonly onApply: (tokens: number | null) => void;
}): ReactElement {
  const [tokens, setTokens] = useState(value);
  return (
    <FilterForm onApply={() => onApply(tokens)}>
      <NumberField label={text.filters.tokens} value={tokens} onChange={setTokens} min={1} step={1000} />
    </FilterForm>
  );
}

function eligibleFilter({ eligible }: ModelFilter, set: SetFilter): Filter {
  const label = text.filters.eligible;
  const word = (isEligible: boolean) => (isEligible ? text.yes : text.no);
  return {
    key: 'eligible',
    label,
    value: eligible === undefined ? null : word(eligible),
    onClear: () => set({ eligible: undefined }),
    editor: (close) => (
      <SelectField
        label={label}
        value={eligible === undefined ? null : eligible ? 'true' : 'false'}
        onChange={(next: 'true' | 'false') => (set({ eligible: next === 'true' }), close())}
        choices={[
          { value: 'true', label: text.yes },
          { value: 'false', label: text.no },
        ]}
      />
    ),
  };
}
