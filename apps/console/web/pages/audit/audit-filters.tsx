import { type ReactElement } from 'react';
import { useInstantFilter } from '../../frame/instant-filter';
import { shortId } from '../../format/ids';
import { visibleText } from '../../format/visible-text';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { wordFilter } from '../../ui/filters/word-filter';
import { auditRoute } from './route';
import { schema, type AuditAddress, type FilterKey } from './schema';
import { text } from './text';

/** The filters of the log. What they are set to is the address. */
export function AuditFilters(): ReactElement {
  const search = auditRoute.useSearch();
  const navigate = auditRoute.useNavigate();
  const instantFilter = useInstantFilter();
  const set = (change: AuditAddress) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const filterOf = (key: FilterKey): Filter => {
    const shared = { key, label: text.filters[key], value: search[key] };
    const onChange = (value: string | undefined) => set({ [key]: value });
    if (key === 'after' || key === 'before') return instantFilter({ ...shared, onChange });
    const shown = key === 'action' ? visibleText : shortId;
    return wordFilter({ ...shared, hint: text.hints[key], shown, takes: schema[key], onChange });
  };
  const filters = (Object.keys(schema) as FilterKey[]).map(filterOf);
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: {} })} />;
}
