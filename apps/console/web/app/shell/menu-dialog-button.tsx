import { type ReactElement, Suspense, useState } from 'react';
import { Button } from '../../ui/button/button';
import { MenuIcon } from '../../ui/icons/icons';
import { lazyPart } from '../../ui/loading/lazy-part';
import styles from './shell.module.css';

const MenuDialog = lazyPart(async () => (await import('./menu-dialog')).MenuDialog);

/** On a narrow screen the navigation is behind a button. */
export function MenuDialogButton(): ReactElement {
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  return (
    <div className={styles.narrow}>
      <Button variant="quiet" icon={<MenuIcon />} aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Menu
      </Button>
      <Suspense>
        {isOpen !== null && <MenuDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />}
      </Suspense>
    </div>
  );
}
