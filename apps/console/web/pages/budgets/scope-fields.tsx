import { type ReactElement, useState } from 'react';
import { useActiveProjects } from '../../api/use-active-projects';
import { useRead } from '../../api/use-api';
import { useCatalog } from '../../api/use-catalog';
import { EACH } from '../../calls/budget-standing';
import { eachWords, scopeWords } from '../../calls/text';
import { visibleText } from '../../format/visible-text';
import { useCan } from '../../session/organization';
import { type Permission } from '../../session/session';
import { ComboboxField } from '../../ui/fields/combobox-field';
import { RadioGroup } from '../../ui/fields/check-field';
import { TextField } from '../../ui/fields/text-field';
import { type Scope } from './budget';
import { canNarrow, ofScope, type BudgetDraft } from './draft';
import { text } from './text';

const words = text.form;
type Narrower = Exclude<Scope, 'organization'>;
const scopes: readonly Scope[] = ['organization', 'project', 'api_key', 'member', 'model', 'end_user'];

interface ScopeProps {
  readonly draft: BudgetDraft;
  readonly problem: string | null;
  readonly onChange: (change: Partial<BudgetDraft>) => void;
}

/** Whose calls the budget counts: of all, of each, or of one, and of one project alone. */
export function ScopeFields({ draft, problem, onChange }: ScopeProps): ReactElement {
  const { scope, scopeId, projectId } = draft;
  return (
    <>
      <RadioGroup
        label={words.scope}
        value={scope}
        onChange={(next) => onChange(ofScope(next))}
        choices={scopes.map((value) => ({ value, label: scopeWords[value], note: words.scopeNotes[value] }))}
      />
      {scope !== 'organization' && (
        <RadioGroup
          label={words.whose}
          value={scopeId === EACH ? 'each' : 'one'}
          onChange={(next) => onChange({ scopeId: next === 'each' ? EACH : null })}
          choices={[
            { value: 'each', label: eachWords[scope], note: words.eachNote },
            { value: 'one', label: words.one[scope] },
          ]}
        />
      )}
      {scope !== 'organization' && scopeId !== EACH && (
        <Subject
          key={scope}
          name="scope_id"
          label={scopeWords[scope]}
          {...{ scope, problem }}
          value={scopeId}
          onChange={(id) => onChange({ scopeId: id })}
        />
      )}
      {canNarrow(scope) && (
        <Subject
          name="project_id"
          scope="project"
          label={words.within}
          hint={words.withinHint}
          problem={null}
          value={projectId}
          onChange={(id) => onChange({ projectId: id })}
        />
      )}
    </>
  );
}

interface SubjectProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly problem: string | null;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

/** By its name, where the role may read those; else by its id. Nobody has made end users, so they are typed. */
function Subject({ scope, ...props }: SubjectProps & { readonly scope: Narrower }): ReactElement {
  const [permission, Choice] = choices[scope];
  const canRead = useCan(permission);
  if (scope === 'end_user') return <Typed {...props} hint={words.endUserHint} />;
  return canRead ? <Choice {...props} /> : <Typed {...props} hint={props.hint ?? words.idHint} />;
}

function Typed({ value, onChange, ...field }: SubjectProps): ReactElement {
  return <TextField {...field} value={value ?? ''} onChange={(id) => onChange(id === '' ? null : id)} />;
}

/** What has the names of a scope, and who may read them. */
const choices: Readonly<Record<Narrower, readonly [Permission, (props: SubjectProps) => ReactElement]>> = {
  project: ['project:read', ProjectChoice],
  api_key: ['key:read', KeyChoice],
  member: ['member:read', MemberChoice],
  model: ['catalog:read', ModelChoice],
  end_user: ['budget:write', Typed],
};

function ProjectChoice(props: SubjectProps): ReactElement {
  const projects = useActiveProjects();
  return (
    <ComboboxField
      {...props}
      choices={projects.map(({ id, name }) => ({ value: id, label: name, note: id }))}
    />
  );
}

const OFFERED = 20;

function KeyChoice(props: SubjectProps): ReactElement {
  const [typed, setTyped] = useState('');
  const query = { limit: OFFERED, state: 'active' as const, q: typed.trim() || undefined };
  const keys = useRead('/keys', { params: { query } }, { keepsPrevious: true });
  const found = keys.data?.data.map(({ id, name }) => ({ value: id, label: name, note: id })) ?? [];
  return <ComboboxField {...props} choices={found} onSearch={setTyped} />;
}

const MEMBERS = 100;

function MemberChoice(props: SubjectProps): ReactElement {
  const members = useRead('/members', { params: { query: { limit: MEMBERS, state: 'active' } } });
  const found = members.data?.data.map(({ id, email }) => ({
    value: id,
    label: visibleText(email),
    note: id,
  }));
  return <ComboboxField {...props} choices={found ?? []} />;
}

const MODEL = /^[^/\s]+\/\S+$/;

/** A model of the catalog, or one that it does not list yet or any more. */
function ModelChoice(props: SubjectProps): ReactElement {
  const [typed, setTyped] = useState('');
  const own = typed.trim();
  const listed = useCatalog().data?.map(({ id }) => id) ?? [];
  const found = listed.filter((id) => id.includes(own)).slice(0, OFFERED);
  const others = MODEL.test(own) && !listed.includes(own) ? [own] : [];
  return (
    <ComboboxField
      {...props}
      hint={words.modelHint}
      choices={[...found, ...others].map((id) => ({ value: id, label: id }))}
      onSearch={setTyped}
    />
  );
}
