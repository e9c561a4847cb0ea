import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-api';
import { FormDialog, useFormDialog, useFormDone } from '../../app/form-dialog';
import { type Role } from '../../session/session';
import { Button } from '../../ui/button/button';
import { Form } from '../../ui/fields/form';
import { Name } from '../../ui/text/id';
import { type Member } from './member';
import { RoleField } from './role-field';
import { text } from './text';

export interface ChangeRoleProps {
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
        <>
          <Name>{member.email}</Name>. {text.change.note}
        </>
      }
    >
      <RoleForm member={member} />
    </FormDialog>
  );
}

function RoleForm({ member }: { readonly member: Member }): ReactElement {
  const [role, setRole] = useState(member.role);
  const cancel = useFormDialog(role !== member.role);
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
    if (!change.isBusy && (await change.run(role)) !== null) done();
  };
  return (
    <Form
      approval="member.update"
      error={change.error}
      onSubmit={() => void save()}
      actions={
        <>
          <Button onClick={cancel}>{text.change.cancel}</Button>
          <Button type="submit" variant="primary" isBusy={change.isBusy}>
            {text.change.save}
          </Button>
        </>
      }
    >
      <RoleField value={role} onChange={setRole} />
    </Form>
  );
}
