import { type ReactElement, useState } from 'react';
import { useNames } from '../../api/use-names';
import { shortId } from '../../format/ids';
import { Button } from '../../ui/button/button';
import { TextField } from '../../ui/fields/text-field';
import { Form } from '../../ui/fields/form';
import { choiceFilter } from '../../ui/filters/choice-filter';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
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
    {
      key: 'q',
      label: labels.q,
      value: q === undefined ? null : visibleText(q),
      onClear: () => set({ q: undefined }),
      editor: (close) => <SearchEditor value={q ?? ''} onApply={(typed) => (set({ q: typed }), close())} />,
    },
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

function SearchEditor({
  value,
  onApply,
}: {
  readonly value: string;
  readonly onApply: (typed: string | undefined) => void;
}): ReactElement {
  const [typed, setTyped] = useState(value);
  return (
    <Form
      error={null}
      onSubmit={() => onApply(typed.trim() === '' ? undefined : typed.trim())}
      actions={<Button type="submit">{text.apply}</Button>}
    >
      <TextField label={text.filters.q} value={typed} onChange={setTyped} maxLength={200} />
    </Form>
  );
}
