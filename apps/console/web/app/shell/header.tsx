import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { visibleText } from '../../format/visible-text';
import { useOrganization } from '../../session/organization';
import { roleLabel } from '../../session/roles';
import { useSession } from '../../session/session-store';
import { Button } from '../../ui/button/button';
import { ChevronsIcon, Logo, SearchIcon } from '../../ui/icons/icons';
import { Menu, MenuChoices } from '../../ui/menu/menu';
import { AccountMenu } from './account-menu';
import { ThemeMenu, ZoneSwitch } from './display';
import { MenuDialog } from './menu-dialog';
import { openShellDialog } from './shortcuts';
import { useOrganizationSwitch } from './organization-switch';
import styles from './shell.module.css';

export function Header(): ReactElement {
  return (
    <header className={styles.header}>
      <MenuDialog />
      <Link to="/" className={styles.brand} aria-label="Svc console">
        <Logo />
        <span>Svc</span>
      </Link>
      <OrganizationSwitcher />
      <div className={styles.wide}>
        <Button variant="quiet" icon={<SearchIcon />} onClick={() => openShellDialog('commands')}>
          Go to… <kbd className={styles.keys}>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
        </Button>
        <ZoneSwitch />
        <ThemeMenu />
      </div>
      <AccountMenu />
    </header>
  );
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

function OrganizationSwitcher(): ReactElement {
  const { organizations } = useSession();
  const { id, name } = useOrganization();
  const show = useOrganizationSwitch();
  const choices = organizations.map((organization) => ({
    value: organization.id,
    label: visibleText(organization.name),
    note: roleLabel(organization.role),
  }));
  return (
    <div className={styles.switcher}>
      <Menu
        align="start"
        trigger={
          <Button variant="quiet">
            <span className="visually-hidden">Organization: </span>
            <span className={styles.clipped}>{visibleText(name)}</span>
            <ChevronsIcon />
          </Button>
        }
      >
        <MenuChoices label="Organizations" value={id} onChange={show} choices={choices} />
      </Menu>
    </div>
  );
}
