import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { visibleText } from '../../format/visible-text';
import { PeopleFields } from '../../frame/people-fields';
import { useCan } from '../../session/organization';
import { CheckList } from '../../ui/fields/check-list';
import { Group } from '../../ui/fields/group';
import { type DraftFieldsProps } from './rule-draft';
import { text } from './text';

/** More than an organization can have. */
const OFFERED = 50;
const words = text.form;

/** Who is told: by mail, by role and by name, and which integrations. */
export function NotifyFields({ draft, onChange }: DraftFieldsProps): ReactElement {
  const query = { limit: OFFERED };
  const canRead = useCan('integration:read');
  const integrations = useRead('/integrations', { params: { query } }, { enabled: canRead });
  const takers = integrations.data?.data.filter(({ kind }) => kind !== 'otlp') ?? [];
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
