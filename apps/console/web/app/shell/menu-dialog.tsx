import { type ReactElement, useState } from 'react';
import { Button } from '../../ui/button/button';
import { Dialog } from '../../ui/dialog/dialog';
import { MenuIcon } from '../../ui/icons/icons';
import { ThemeMenu, ZoneSwitch } from './display';
import { Navigation } from './navigation';
import styles from './shell.module.css';

/** On a narrow screen the navigation is behind a button, and what the header has no room for is with it. */
export function MenuDialog(): ReactElement {
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
          <ZoneSwitch />
          <ThemeMenu />
        </div>
      </Dialog>
    </div>
  );
}
