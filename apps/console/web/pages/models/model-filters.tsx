import { type ReactElement, useEffect, useRef, useState } from 'react';
import { type CatalogModel } from '../../api/use-catalog';
import { formatCount } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { ListFilters } from '../../frame/list-filters';
import { picks } from '../../frame/pick-filter';
import { NumberField } from '../../ui/fields/number-field';
import { FilterForm } from '../../ui/filters/filter-form';
import { modelList } from './list';
import styles from './models.module.css';
import { modelsRoute } from './route';
import { operationWords, text } from './text';

const labels = text.filters;

export function ModelFilters({ models }: { readonly models: readonly CatalogModel[] }): ReactElement {
  const isTold = models.some(({ eligible }) => eligible !== undefined);
  return (
    <ListFilters
      of={modelList}
      without={isTold ? ['q'] : ['q', 'eligible']}
      chips={{
        q: { label: text.search },
        provider: {
          label: labels.provider,
          shown: visibleText,
          editor: picks('provider', { label: labels.provider, takes: modelList.address.provider }),
        },
        route: { label: labels.route, words: operationWords },
        context: {
          label: labels.context,
          shown: (context) => text.model.tokens(formatCount(context)),
          editor: (context, onChange) => (
            <ContextEditor value={context ?? null} onApply={(tokens) => onChange(tokens ?? undefined)} />
          ),
        },
        eligible: { label: labels.eligible, words: { true: text.yes, false: text.no } },
      }}
    >
      <Search />
    </ListFilters>
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
