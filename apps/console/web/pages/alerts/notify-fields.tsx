import { type ReactElement } from 'react';
import { visibleText } from '../../format/visible-text';
import { PeopleFields } from '../../frame/people-fields';
import { CheckList } from '../../ui/fields/check-list';
import { Group } from '../../ui/fields/group';
import { type DraftFieldsProps } from './rule-draft';
import { text } from './text';
import { useIntegrations } from './use-integrations';

const words = text.form;

/** Who is told: by mail, by role and by name, and which integrations. */
export function NotifyFields({ draft, onChange }: DraftFieldsProps): ReactElement {
  const takers = useIntegrations().filter(({ kind }) => kind !== 'otlp');
  return (
    <Group name="notify">
      <PeopleFields labels={words} value={draft} onChange={onChange} />
      <CheckList
        label={words.integrations}
        choices={takers.map(({ id, name, kind }) => ({
          value: id,
          label: visibleText(name),
          note: text.told.channels[kind as keyof typeof text.told.channels],
        }))}
        chosen={draft.integrations}
        onChange={(ids) => onChange({ integrations: ids })}
      />
    </Group>
  );
}
