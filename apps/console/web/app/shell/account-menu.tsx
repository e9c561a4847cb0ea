import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { visibleText } from '../../format/visible-text';
import { useOrganization } from '../../session/organization';
import { roleLabel } from '../../session/roles';
import { useSession } from '../../session/session-store';
import { Menu, MenuItem, MenuNote, MenuSeparator } from '../../ui/menu/menu';
import { type OnDemandProps } from '../../ui/menu/on-demand-menu';
import { AccountButton } from './menu-buttons';
import { useLogOut } from './log-out';
import { openShellDialog } from './shell-dialogs';

const FIRST_CALL = 'Make a call';

export function AccountMenu({ isOpenAtFirst }: OnDemandProps): ReactElement {
  const { user } = useSession();
  const { role } = useOrganization();
  const logOut = useLogOut();
  return (
    <Menu trigger={<AccountButton />} isOpenAtFirst={isOpenAtFirst}>
      <MenuNote>
        <strong>{visibleText(user.email)}</strong>
        <br />
        {roleLabel(role)}
      </MenuNote>
      <MenuSeparator />
      {/* A page of the service, outside this application. */}
      <MenuItem render={<a href="/auth/account">Your account</a>}>Your account</MenuItem>
      <MenuItem render={<Link to="/start">{FIRST_CALL}</Link>}>{FIRST_CALL}</MenuItem>
      <MenuItem render={<a href="/api/v1/docs">API reference</a>}>API reference</MenuItem>
      <MenuItem onSelect={() => openShellDialog('shortcuts')}>Keyboard shortcuts</MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={logOut.run}>Log out</MenuItem>
    </Menu>
  );
}
