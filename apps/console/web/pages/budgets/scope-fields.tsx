import { type ReactElement, useState } from 'react';
import { useActiveProjects } from '../../api/use-active-projects';
import { useRead } from '../../api/use-api';
import { useCan } from '../../session/organization';
import { ComboboxField } from '../../ui/fields/combobox-field';
import { RadioGroup } from '../../ui/fields/check-field';
import { TextField } from '../../ui/fields/text-field';
import { type BudgetDraft } from './draft';
import { scopeWords, text } from './text';

const OFFERED = 20;
const words = text.form;

interface ScopeProps {
  readonly draft: BudgetDraft;
  readonly problem: string | null;
  readonly onChange: (change: Partial<BudgetDraft>) => void;
}

/** Whose calls the budget counts. */
export function ScopeFields({ draft, problem, onChange }: ScopeProps): ReactElement {
  return (
    <>
      <RadioGroup
        label={words.scope}
        value={draft.scope}
        onChange={(scope) => onChange({ scope })}
        choices={(['organization', 'project', 'api_key'] as const).map((value) => ({
          value,
          label: scopeWords[value],
        }))}
      />
      {draft.scope === 'project' && <ProjectChoice {...{ draft, problem, onChange }} />}
      {draft.scope === 'api_key' && <KeyChoice {...{ draft, problem, onChange }} />}
    </>
  );
}

function ProjectChoice({ draft, problem, onChange }: ScopeProps): ReactElement {
  const choices = useActiveProjects().map(({ id, name }) => ({ value: id, label: name, note: id }));
  return (
    <ComboboxField
      name="scope_id"
      label={words.project}
      value={draft.projectId}
      problem={problem}
      choices={choices}
      onChange={(projectId) => onChange({ projectId })}
    />
  );
}

/** A key by its name, which the API searches; by its id for a role that may not read keys. */
function KeyChoice({ draft, problem, onChange }: ScopeProps): ReactElement {
  const canRead = useCan('key:read');
  const [typed, setTyped] = useState('');
  const query = {
    limit: OFFERED,
    state: 'active' as const,
    q: typed.trim() === '' ? undefined : typed.trim(),
  };
  const keys = useRead('/keys', { params: { query } }, { enabled: canRead, keepsPrevious: true });
  if (!canRead)
    return (
      <TextField
        name="scope_id"
        label={words.key}
        value={draft.keyId ?? ''}
        problem={problem}
        onChange={(id) => onChange({ keyId: id.trim() === '' ? null : id.trim() })}
      />
    );
  const choices = keys.data?.data.map(({ id, name }) => ({ value: id, label: name, note: id })) ?? [];
  return (
    <ComboboxField
      name="scope_id"
      label={scopeWords.api_key}
      value={draft.keyId}
      problem={problem}
      choices={choices}
      onChange={(keyId) => onChange({ keyId })}
      onSearch={setTyped}
    />
  );
}
