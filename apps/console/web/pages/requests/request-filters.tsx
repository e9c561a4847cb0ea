import { type ReactElement, type ReactNode } from 'react';
import { type NamesById } from '../../api/use-names';
import { type Parameter } from '../../browser/address';
import { usePreferences } from '../../browser/preferences';
import { statuses } from '../../calls/request';
import { failedMeans } from '../../calls/outcome-words';
import { statusWords } from '../../calls/text';
import { shortId, shortSubject } from '../../format/ids';
import { formatCount, formatDuration } from '../../format/numbers';
import { formatInstant } from '../../format/time';
import { visibleText } from '../../format/visible-text';
import { InstantEditor } from '../../frame/instant-filter';
import { PickEditor, PickSeveralEditor } from '../../frame/pick-filter';
import { SelectField } from '../../ui/fields/select-field';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { TextEditor } from './filter-editors';
import { filterKeys, requestList, type FilterKey, type RequestsAddress } from './list';
import { requestsRoute } from './route';
import { text } from './text';
import { type CallNames } from './use-call-names';

interface RequestFiltersProps {
  readonly names: CallNames;
  readonly actions: ReactNode;
}

/** The filters of the list. What they are set to is the address. */
export function RequestFilters({ names, actions }: RequestFiltersProps): ReactElement {
  const search = requestsRoute.useSearch();
  const navigate = requestsRoute.useNavigate();
  const { zone } = usePreferences();
  const set = (change: RequestsAddress) =>
    void navigate({ search: (before) => ({ ...before, open: undefined, ...change }) });
  const shown = wordsOf(search, names, (at) => formatInstant(new Date(at), zone));
  const filters = filterKeys.map((key): Filter => ({
    key,
    label: text.filters[key],
    isRare: !usual.has(key),
    value: shown[key] ?? null,
    onClear: () => set({ [key]: undefined }),
    editor: (close) => (
      <Editor of={key} {...{ search, names }} onApply={(change) => (set(change), close())} />
    ),
  }));
  const clearAll = () => void navigate({ search: ({ live }) => ({ live }) });
  return <FilterBar filters={filters} onClearAll={clearAll} actions={actions} />;
}

/** Those that most searches begin with; the others wait behind "Add filter". */
const usual: ReadonlySet<FilterKey> = new Set<FilterKey>([
  'status',
  'model',
  'provider',
  'key',
  'project',
  'after',
  'before',
]);

type Words = Partial<Record<FilterKey, string | undefined>>;

/** The value of each filter, in words. */
function wordsOf(search: RequestsAddress, names: CallNames, instant: (at: string) => string): Words {
  const list = (values: readonly (string | number)[] | undefined) =>
    values?.map((value) => visibleText(String(value))).join(', ');
  const named = (ids: readonly string[] | undefined, known: NamesById) =>
    list(ids?.map((id) => known.get(id) ?? shortId(id)));
  const atLeast = <Value,>(value: Value | undefined, format: (value: Value) => string) =>
    value === undefined ? undefined : text.atLeast(format(value));
  return {
    status: list(search.status?.map((status) => statusWords[status])),
    failed: search.failed === undefined ? undefined : search.failed ? text.counted : text.notCounted,
    model: list(search.model),
    provider: list(search.provider),
    key: named(search.key, names.keys),
    project: named(search.project, names.projects),
    http_status: list(search.http_status),
    error: list(search.error),
    attempts: atLeast(search.attempts, formatCount),
    cost: atLeast(search.cost, (dollars) => `$${dollars}`),
    duration: atLeast(search.duration, formatDuration),
    first_token: atLeast(search.first_token, formatDuration),
    stream: search.stream === undefined ? undefined : search.stream ? text.streamed : text.whole,
    session: search.session === undefined ? undefined : visibleText(search.session),
    end_user: search.end_user === undefined ? undefined : visibleText(search.end_user),
    after: search.after === undefined ? undefined : instant(search.after),
    before: search.before === undefined ? undefined : instant(search.before),
  };
}

interface EditorProps {
  readonly of: FilterKey;
  readonly search: RequestsAddress;
  readonly names: CallNames;
  readonly onApply: (change: RequestsAddress) => void;
}

function Editor({ of, search, names, onApply }: EditorProps): ReactElement {
  const label = text.filters[of];
  if (of === 'status')
    return (
      <SelectField
        label={label}
        value={search.status?.[0] ?? null}
        onChange={(status) => onApply({ status: [status] })}
        choices={statuses.map((value) => ({ value, label: statusWords[value] }))}
      />
    );
  if (of === 'key' || of === 'project' || of === 'model' || of === 'provider')
    return <Picks of={of} {...{ search, names, onApply }} />;
  if (of === 'end_user')
    return (
      <PickEditor
        of="end_user"
        label={label}
        takes={requestList.address.end_user}
        value={search.end_user}
        onApply={(named) => onApply({ end_user: named })}
      />
    );
  if (of === 'stream') return <YesNo of={of} words={[text.streamed, text.whole]} {...{ search, onApply }} />;
  if (of === 'failed')
    return (
      <YesNo of={of} words={[text.counted, text.notCounted]} hint={failedMeans} {...{ search, onApply }} />
    );
  if (of === 'after' || of === 'before')
    return <InstantEditor label={label} value={search[of]} onApply={(at) => onApply({ [of]: at })} />;
  return <TextEditor of={of} value={String(search[of] ?? '')} onApply={onApply} />;
}

const picked = { key: 'api_key', project: 'project', model: 'model', provider: 'provider' } as const;

/** By names: those of several keys, projects, models or providers. */
function Picks(props: EditorProps & { readonly of: keyof typeof picked }): ReactElement {
  const { of, search, names, onApply } = props;
  const nameOf = (value: string) => names.keys.get(value) ?? names.projects.get(value) ?? shortSubject(value);
  return (
    <PickSeveralEditor
      of={picked[of]}
      label={text.filters[of]}
      takes={requestList.address[of] as Parameter<readonly string[]>}
      value={search[of]}
      nameOf={nameOf}
      severalHint={text.hints.several}
      onApply={(values) => onApply({ [of]: values })}
    />
  );
}

interface YesNoProps extends Omit<EditorProps, 'names'> {
  readonly of: 'stream' | 'failed';
  readonly words: readonly [yes: string, no: string];
  readonly hint?: string;
}

function YesNo({ of, words: [yes, no], hint, search, onApply }: YesNoProps): ReactElement {
  const { [of]: value } = search;
  return (
    <SelectField
      label={text.filters[of]}
      hint={hint}
      value={value === undefined ? null : value ? 'true' : 'false'}
      onChange={(chosen) => onApply({ [of]: chosen === 'true' })}
      choices={[
        { value: 'true', label: yes },
        { value: 'false', label: no },
      ]}
    />
  );
}
