import { type ReactElement } from 'react';
import { RadioGroup } from '../../../ui/fields/check-field';
import { TextArea, TextField } from '../../../ui/fields/text-field';
import { Pair } from '../../frame/filters';
import { ComponentsField } from './components-field';
import { type IncidentDraft } from './draft';
import { openStates, severityChoices } from './incident';
import { audienceWords, stateWords, text } from './text';

const words = text.declare;
const audiences = ['all', 'affected', 'organizations'] as const;
const audienceChoices = audiences.map((value) => ({
  value,
  label: audienceWords[value],
  note: words.audienceNotes[value],
}));
const stateChoices = openStates.map((value) => ({ value, label: stateWords[value] }));

export interface IncidentFieldsProps {
  readonly draft: IncidentDraft;
  readonly set: (change: Partial<IncidentDraft>) => void;
  readonly problem: (name: 'title' | 'message' | 'components') => string | null;
}

/** The texts of an incident that customers read, and how bad it is. */
export function SaidFields({ draft, set, problem }: IncidentFieldsProps): ReactElement {
  return (
    <>
      <TextField
        name="title"
        label={words.name}
        hint={words.nameHint}
        maxLength={256}
        value={draft.title}
        problem={problem('title')}
        onChange={(title) => set({ title })}
      />
      <TextArea
        name="message"
        label={words.message}
        hint={words.messageHint}
        value={draft.message}
        problem={problem('message')}
        onChange={(message) => set({ message })}
      />
      <Pair>
        <RadioGroup
          label={words.severity}
          value={draft.severity}
          choices={severityChoices}
          onChange={(severity) => set({ severity })}
        />
        <RadioGroup
          label={words.state}
          value={draft.state}
          choices={stateChoices}
          onChange={(state) => set({ state })}
        />
      </Pair>
    </>
  );
}

/** The parts that are affected, and who is told. */
export function ScopeFields({ draft, set, problem }: IncidentFieldsProps): ReactElement {
  const names = { hint: words.namesHint, spellCheck: false };
  return (
    <>
      <ComponentsField
        value={draft.components}
        problem={problem('components')}
        onChange={(components) => set({ components })}
      />
      <TextField
        {...names}
        name="providers"
        label={words.providers}
        value={draft.providers}
        onChange={(providers) => set({ providers })}
      />
      <TextField
        {...names}
        name="models"
        label={words.models}
        value={draft.models}
        onChange={(models) => set({ models })}
      />
      <RadioGroup
        label={words.audience}
        value={draft.audience}
        choices={audienceChoices}
        onChange={(audience) => set({ audience })}
      />
      {draft.audience === 'organizations' && (
        <TextArea
          name="organization_ids"
          label={words.organizations}
          hint={words.organizationsHint}
          isCode
          value={draft.organizationIds}
          onChange={(organizationIds) => set({ organizationIds })}
        />
      )}
    </>
  );
}
