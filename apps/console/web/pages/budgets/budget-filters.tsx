import { type ReactElement } from 'react';
import { useNames } from '../../api/use-names';
import { idOf } from '../../browser/address';
import { shortId } from '../../format/ids';
import { visibleText } from '../../format/visible-text';
import { SelectField } from '../../ui/fields/select-field';
import { choiceFilter } from '../../ui/filters/choice-filter';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { wordFilter } from '../../ui/filters/word-filter';
import { budgetsRoute } from './route';
import { scopeWords, text } from './text';

type Address = ReturnType<typeof budgetsRoute.useSearch>;
const labels = text.filters;

/** The filters of the list. What they are set to is the address. */
export function BudgetFilters(): ReactElement {
  const { scope, enabled, key } = budgetsRoute.useSearch();
  const navigate = budgetsRoute.useNavigate();
  const names = useNames('/keys', [key]);
  const set = (change: Partial<Address>) => void navigate({ search: (held) => ({ ...held, ...change }) });
  const filters: readonly Filter[] = [
    choiceFilter({
      key: 'scope',
      label: labels.scope,
      value: scope,
      choices: ['organization', 'project', 'api_key'],
      words: scopeWords,
      onChange: (next) => set({ scope: next }),
    }),
    {
      key: 'enabled',
      label: labels.enabled,
      value: enabled === undefined ? null : enabled ? text.yes : text.no,
      onClear: () => set({ enabled: undefined }),
      editor: (close) => (
        <SelectField
          label={labels.enabled}
          value={enabled === undefined ? null : enabled ? 'true' : 'false'}
          onChange={(next) => (set({ enabled: next === 'true' }), close())}
          choices={[
            { value: 'true', label: text.yes },
            { value: 'false', label: text.no },
          ]}
        />
      ),
    },
    wordFilter({
      key: 'key',
      label: labels.key,
      hint: text.keyHint,
      value: key,
      shown: (id) => visibleText(names.get(id) ?? shortId(id)),
      takes: idOf('apiKey'),
      problem: text.notAKey,
      onChange: (next) => set({ key: next }),
    }),
  ];
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: {} })} />;
}
