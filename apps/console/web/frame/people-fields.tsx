import { type ReactElement } from 'react';
import { useRead } from '../api/use-api';
import { visibleText } from '../format/visible-text';
import { useCan } from '../session/organization';
import { roleLabel, roles as everyRole } from '../session/roles';
import { type Role } from '../session/session';
import { CheckList } from '../ui/fields/check-list';

/** As many as a rule or an integration takes are a part of it. */
const OFFERED = 100;

export interface People {
  readonly roles: readonly Role[];
  /** Ids of memberships. */
  readonly members: readonly string[];
}

interface PeopleFieldsProps {
  readonly labels: { readonly roles: string; readonly members: string };
  readonly value: People;
  readonly onChange: (change: Partial<People>) => void;
}

/** Who is told by mail, by role and by name. */
export function PeopleFields({ labels, value, onChange }: PeopleFieldsProps): ReactElement {
  const query = { limit: OFFERED };
  const members = useRead('/members', { params: { query } }, { enabled: useCan('member:read') });
  const active = members.data?.data.filter(({ state }) => state === 'active') ?? [];
  return (
    <>
      <CheckList
        label={labels.roles}
        choices={everyRole.map((role) => ({ value: role, label: roleLabel(role) }))}
        chosen={value.roles}
        onChange={(roles) => onChange({ roles })}
      />
      <CheckList
        label={labels.members}
        choices={active.map(({ id, email }) => ({ value: id, label: visibleText(email) }))}
        chosen={value.members}
        onChange={(ids) => onChange({ members: ids })}
      />
    </>
  );
}
