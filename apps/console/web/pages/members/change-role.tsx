import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { type Role } from '../../session/session';
import { Name } from '../../ui/text/id';
import { type Member } from './member';
import { RoleField } from './role-field';
import { text } from './text';

interface ChangeRoleProps {
  readonly member: Member;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function ChangeRole({ member, isOpen, onClose }: ChangeRoleProps): ReactElement {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={text.change.title}
      description={
        <p>
          <Name>{member.email}</Name>. {text.change.note}
        </p>
      }
    >
      <RoleForm member={member} />
    </FormDialog>
  );
}

function RoleForm({ member }: { readonly member: Member }): ReactElement {
  const [role, setRole] = useState(member.role);
  const done = useFormDone();
  const params = { path: { member_id: member.id } };
  const change = useWrite(
    (api, to: Role) => api.patch('/members/{member_id}', { params, body: { role: to } }),
    {
      changes: ['/members', '/audit-log'],
      says: text.change.done,
    },
  );
  const save = async () => {
    if ((await change.run(role)) !== null) done();
  };
  return (
    <WriteForm
      approval="member.update"
      write={change}
      isChanged={role !== member.role}
      action={text.change.save}
      onSubmit={() => void save()}
    >
      <RoleField value={role} onChange={setRole} />
    </WriteForm>
  );
}
