import { isId } from '@svc/kernel';
import { type ReactElement, useState } from 'react';
import { type WriteState } from '../../api/writes';
import { PickOrTypeField, type PickFieldProps } from '../../frame/pick-field';
import { WriteForm } from '../../frame/write-form';
import { permissionWords } from '../../session/permission-words';
import { Checkbox, RadioGroup } from '../../ui/fields/check-field';
import { Group } from '../../ui/fields/group';
import { TextField } from '../../ui/fields/text-field';
import { type Scope } from './key';
import styles from './keys.module.css';
import { LimitFields } from './limit-fields';
import { isCostWrong, isSameDraft, scopesOf, type KeyDraft } from './new-key';
import { OwnerField } from './owner-field';
import { Restrictions } from './restrictions';
import { text } from './text';

interface KeyFormProps {
  readonly initial: KeyDraft;
  /** The scopes that the role can pass on. */
  readonly offered: readonly Scope[];
  readonly canChooseOwner: boolean;
  readonly isReplacing: boolean;
  readonly write: WriteState;
  readonly onSubmit: (draft: KeyDraft) => void;
}

/** The name, the scopes and the limits of a new key. */
export function KeyForm(props: KeyFormProps): ReactElement {
  const { initial, offered, canChooseOwner, isReplacing, write, onSubmit } = props;
  const [draft, setDraft] = useState(initial);
  const [isTried, setTried] = useState(false);
  const set = (change: Partial<KeyDraft>) => setDraft((before) => ({ ...before, ...change }));
  const words = text.form;
  const nameless = draft.name.trim() === '';
  const scopeless = scopesOf(draft).length === 0;
  return (
    <WriteForm
      approval="api_key.create"
      label={words.title}
      write={write}
      isChanged={!isSameDraft(draft, initial)}
      action={words.submit}
      onSubmit={() => {
        setTried(true);
        if (!nameless && !scopeless && !isCostWrong(draft)) onSubmit(draft);
      }}
    >
      <TextField
        name="name"
        label={words.name}
        hint={words.nameHint}
        value={draft.name}
        problem={isTried && nameless ? words.noName : null}
        onChange={(name) => set({ name })}
      />
      <ProjectChoice value={draft.projectId} onChange={(projectId) => set({ projectId })} />
      <ScopeFields
        draft={draft}
        offered={offered}
        problem={isTried && scopeless ? words.noScope : null}
        onChange={set}
      />
      <TextField
        name="expires_at"
        label={words.expiry}
        hint={words.expiryHint}
        type="datetime-local"
        value={draft.expiry}
        onChange={(expiry) => set({ expiry })}
      />
      <LimitFields rpm={draft.rpm} tpm={draft.tpm} onChange={set} />
      {canChooseOwner && <OwnerField value={draft.owner} onChange={(owner) => set({ owner })} />}
      <Restrictions
        {...{ draft, isReplacing, isTried }}
        onChange={(change) => setDraft((before) => ({ ...before, policy: { ...before.policy, ...change } }))}
        onCost={(cost) => set({ cost })}
      />
    </WriteForm>
  );
}

interface ScopeFieldsProps {
  readonly draft: KeyDraft;
  readonly offered: readonly Scope[];
  readonly problem: string | null;
  readonly onChange: (change: Partial<KeyDraft>) => void;
}

function ScopeFields({ draft, offered, problem, onChange }: ScopeFieldsProps): ReactElement {
  const words = text.form;
  return (
    <Group name="scopes" problem={problem}>
      <RadioGroup
        label={words.scopes}
        value={draft.preset}
        onChange={(preset) => onChange({ preset })}
        choices={[
          { value: 'inference', ...words.presets.inference },
          { value: 'chosen', ...words.presets.chosen },
        ]}
      />
      {draft.preset === 'chosen' && (
        <ScopeBoxes offered={offered} chosen={draft.scopes} onChange={(scopes) => onChange({ scopes })} />
      )}
    </Group>
  );
}

function ScopeBoxes({
  offered,
  chosen,
  onChange,
}: {
  readonly offered: readonly Scope[];
  readonly chosen: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}): ReactElement {
  return (
    <div className={styles.scopes}>
      {offered.map((scope) => (
        <Checkbox
          key={scope}
          label={<code>{scope}</code>}
          note={permissionWords[scope]}
          isChecked={chosen.includes(scope)}
          onChange={(isChecked) =>
            onChange(isChecked ? [...chosen, scope] : chosen.filter((other) => other !== scope))
          }
        />
      ))}
    </div>
  );
}

function ProjectChoice(props: Pick<PickFieldProps, 'value' | 'onChange'>): ReactElement {
  return (
    <PickOrTypeField
      {...props}
      of="project"
      name="project_id"
      label={text.form.project}
      hint={text.form.projectHint}
      takes={(typed) => isId('project', typed)}
    />
  );
}
