import { type ReactElement } from 'react';
import { useOrganization } from '../../session/organization';
import { roleLabel, rolesWithin } from '../../session/roles';
import { type Role } from '../../session/session';
import { RadioGroup } from '../../ui/fields/check-field';
import { Group } from '../../ui/fields/group';
import { roleNotes, text } from './text';

/** The roles that one can give, each with what it may do: nobody can give more than they hold. */
export function RoleField({
  value,
  onChange,
}: {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}): ReactElement {
  const { permissions } = useOrganization();
  return (
    <Group name="role">
      <RadioGroup
        label={text.change.role}
        value={value}
        onChange={onChange}
        choices={rolesWithin(permissions).map((role) => ({
          value: role,
          label: roleLabel(role),
          note: roleNotes[role],
        }))}
      />
    </Group>
  );
}
