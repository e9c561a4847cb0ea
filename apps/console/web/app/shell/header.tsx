import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { Button } from '../../ui/button/button';
import { Logo, SearchIcon } from '../../ui/icons/icons';
import { onDemandMenu } from '../../ui/menu/on-demand-menu';
import { ThemeSwitch, ZoneSwitch } from './display';
import { AccountButton, OrganizationButton } from './menu-buttons';
import { MenuDialogButton } from './menu-dialog-button';
import { openShellDialog } from './shell-dialogs';
import styles from './shell.module.css';

const Account = onDemandMenu(AccountButton, async () => (await import('./account-menu')).AccountMenu);
const Organization = onDemandMenu(
  OrganizationButton,
  async () => (await import('./organization-menu')).OrganizationMenu,
);

export function Header(): ReactElement {
  return (
    <header className={styles.header}>
      <MenuDialogButton />
      <Link to="/" className={styles.brand} aria-label="Svc console">
        <Logo />
        <span>Svc</span>
      </Link>
      <div className={styles.switcher}>
        <Organization />
      </div>
      <div className={styles.wide}>
        <Button variant="quiet" icon={<SearchIcon />} onClick={() => openShellDialog('commands')}>
          Go to… <kbd className={styles.keys}>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
        </Button>
        <ZoneSwitch />
        <ThemeSwitch />
      </div>
      <Account />
    </header>
  );
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
