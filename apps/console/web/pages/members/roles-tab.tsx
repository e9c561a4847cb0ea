import { type ReactElement } from 'react';
import { permissionWords } from '../../session/permission-words';
import { roleLabel, roles, rolesWith } from '../../session/roles';
import { type Permission } from '../../session/session';
import { DataTable } from '../../ui/table/data-table';
import { roleNotes, text } from './text';

const permissions = Object.keys(permissionWords) as Permission[];

/** The table of roles and permissions as it is. */
export function Roles(): ReactElement {
  const words = text.roles;
  return (
    <>
      <p className="muted">{words.note}</p>
      <DataTable
        caption={words.caption}
        rows={permissions}
        rowKey={(permission) => permission}
        columns={[
          {
            key: 'permission',
            header: words.permission,
            cell: (permission) => (
              <>
                {permissionWords[permission]} <code>{permission}</code>
              </>
            ),
          },
          ...roles.map((role) => ({
            key: role,
            header: roleLabel(role),
            hint: roleNotes[role],
            cell: (permission: Permission) =>
              rolesWith(permission).includes(role) ? words.yes : <span className="muted">{words.no}</span>,
          })),
        ]}
      />
    </>
  );
}
