import { type ReactElement } from 'react';
import { useNames } from '../../api/use-names';
import { text as anyText } from '../../browser/address';
import { shortId } from '../../format/ids';
import { Button } from '../../ui/button/button';
import { choiceFilter } from '../../ui/filters/choice-filter';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { wordFilter } from '../../ui/filters/word-filter';
import { visibleText } from '../../format/visible-text';
import { ProjectField } from './project-field';
import { keysRoute } from './route';
import { standingWords, text } from './text';

type Address = ReturnType<typeof keysRoute.useSearch>;

/** The filters of the list. What they are set to is the address. */
export function KeyFilters(): ReactElement {
  const { q, state, project, purpose } = keysRoute.useSearch();
  const navigate = keysRoute.useNavigate();
  const set = (change: Partial<Address>) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const names = useNames('/projects', [project]);
  const labels = text.filters;
  const filters: readonly Filter[] = [
    wordFilter({
      key: 'q',
      label: labels.q,
      value: q,
      takes: anyText,
      onChange: (next) => set({ q: next }),
    }),
    choiceFilter({
      key: 'state',
      label: labels.state,
      value: state,
      choices: ['active', 'revoked'],
      words: standingWords,
      onChange: (next) => set({ state: next }),
    }),
    {
      key: 'project',
      label: labels.project,
      value: project === undefined ? null : visibleText(names.get(project) ?? shortId(project)),
      onClear: () => set({ project: undefined }),
      editor: (close) => (
        <ProjectField
          label={labels.project}
          value={project ?? null}
          onChange={(id) => (set({ project: id ?? undefined }), close())}
        />
      ),
    },
    {
      key: 'purpose',
      label: labels.purpose,
      value: purpose === undefined ? null : text.playground,
      onClear: () => set({ purpose: undefined }),
      editor: (close) => (
        <Button onClick={() => (set({ purpose: 'playground' }), close())}>{text.playground}</Button>
      ),
    },
  ];
  return <FilterBar filters={filters} onClearAll={() => void navigate({ search: {} })} />;
}
