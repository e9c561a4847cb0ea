import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { visibleText } from '../../format/visible-text';
import { useCan } from '../../session/organization';
import { roleLabel } from '../../session/roles';
import { Checkbox } from '../../ui/fields/check-field';
import { Group } from '../../ui/fields/group';
import { type Role } from './alert';
import styles from './alerts.module.css';
import { type DraftFieldsProps } from './rule-draft';
import { text } from './text';

const roles: readonly Role[] = ['owner', 'security_admin', 'developer', 'finance', 'viewer'];
/** As many as a rule takes are a part of it. */
const OFFERED = 100;
const words = text.form;

/** Who is told by mail, by role and by name. What else the rule tells stays as it is. */
export function NotifyFields({ draft, onChange }: DraftFieldsProps): ReactElement {
  const query = { limit: OFFERED };
  const canRead = useCan('member:read');
  const members = useRead('/members', { params: { query } }, { enabled: canRead });
  const active = members.data?.data.filter(({ state }) => state === 'active') ?? [];
  return (
    <Group name="notify">
      <fieldset className={styles.legend}>
        <legend>{words.roles}</legend>
        <div className={styles.boxes}>
          {roles.map((role) => (
            <Checkbox
              key={role}
              label={roleLabel(role)}
              isChecked={draft.roles.includes(role)}
              onChange={(isOn) => onChange({ roles: toggled(draft.roles, role, isOn) })}
            />
          ))}
        </div>
      </fieldset>
      {active.length > 0 && (
        <fieldset className={styles.legend}>
          <legend>{words.members}</legend>
          <div className={styles.boxes}>
            {active.map(({ id, email }) => (
              <Checkbox
                key={id}
                label={visibleText(email)}
                isChecked={draft.members.includes(id)}
                onChange={(isOn) => onChange({ members: toggled(draft.members, id, isOn) })}
              />
            ))}
          </div>
        </fieldset>
      )}
    </Group>
  );
}

const toggled = <T,>(chosen: readonly T[], one: T, isOn: boolean): readonly T[] =>
  isOn ? [...chosen, one] : chosen.filter((other) => other !== one);
