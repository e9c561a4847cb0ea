import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import styles from '../../app/shell/shell.module.css';
import { preferences, usePreferences } from '../../browser/preferences';
import { Button } from '../../ui/button/button';
import { Dialog } from '../../ui/dialog/dialog';
import { Logo, MenuIcon } from '../../ui/icons/icons';
import { Segmented } from '../../ui/segmented/segmented';
import { signOut } from '../session/sign-out';
import { Navigation } from './navigation';
import { text } from './sign-in/text';

export function Header(): ReactElement {
  return (
    <header className={styles.header}>
      <Menu />
      <Link to="/" className={styles.brand} aria-label="Svc operator">
        <Logo />
        <span>Svc operator</span>
      </Link>
      <div className={styles.switcher} />
      <div className={styles.wide}>
        <Display />
      </div>
      <Button variant="quiet" onClick={signOut}>
        {text.signOut}
      </Button>
    </header>
  );
}

/** On a narrow screen the navigation is behind a button, and with it what the header has no room for. */
function Menu(): ReactElement {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <div className={styles.narrow}>
      <Button variant="quiet" icon={<MenuIcon />} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Menu
      </Button>
      <Dialog isOpen={isOpen} onClose={close} title="Menu">
        <Navigation onFollow={close} />
        <div className={styles.display}>
          <Display />
        </div>
      </Dialog>
    </div>
  );
}

const zones = [
  { value: 'local', label: 'Local' },
  { value: 'utc', label: 'UTC' },
] as const;
const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

function Display(): ReactElement {
  const { zone, theme } = usePreferences();
  return (
    <>
      <Segmented
        label="Time zone"
        value={zone}
        onChange={(value) => preferences.set({ zone: value })}
        choices={zones}
      />
      <Segmented
        label="Theme"
        value={theme}
        onChange={(value) => preferences.set({ theme: value })}
        choices={themes}
      />
    </>
  );
}
