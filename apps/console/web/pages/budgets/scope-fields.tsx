import { isId } from '@svc/kernel';
import { type ReactElement } from 'react';
import { EACH } from '../../calls/budget-standing';
import { eachWords, scopeWords } from '../../calls/text';
import { PickOrTypeField } from '../../frame/pick-field';
import { RadioGroup } from '../../ui/fields/check-field';
import { type FieldProps } from '../../ui/fields/field';
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

interface SubjectProps extends Pick<FieldProps, 'name' | 'label' | 'hint' | 'problem'> {
  readonly scope: Narrower;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

const NAME_MAX = 256;
/** Scopes that can be chosen though no list offers them: an id, a model that the catalog does not have yet, any end user. */
const taken: Readonly<Record<Narrower, (typed: string) => boolean>> = {
  project: (typed) => isId('project', typed),
  api_key: (typed) => isId('apiKey', typed),
  member: (typed) => isId('member', typed),
  model: (typed) => /^[^/\s]+\/\S+$/.test(typed),
  end_user: (typed) => typed.length <= NAME_MAX,
};
const hints: Partial<Record<Narrower, string>> = { model: words.modelHint, end_user: words.endUserHint };

function Subject({ scope, hint = hints[scope], ...field }: SubjectProps): ReactElement {
  return <PickOrTypeField {...field} {...(hint !== undefined && { hint })} of={scope} takes={taken[scope]} />;
}
