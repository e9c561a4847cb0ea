import { type ReactElement } from 'react';
import { Button } from '../../ui/button/button';
import { Dialog } from '../../ui/dialog/dialog';
import { SearchIcon } from '../../ui/icons/icons';
import { ThemeSwitch, ZoneSwitch } from './display';
import { Navigation } from './navigation';
import { openShellDialog } from './shell-dialogs';
import styles from './shell.module.css';

interface MenuDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The navigation, and with it what a narrow header has no room for. */
export function MenuDialog({ isOpen, onClose }: MenuDialogProps): ReactElement {
  const search = () => {
    onClose();
    openShellDialog('commands');
  };
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Menu">
      <Navigation onFollow={onClose} />
      <div className={styles.display}>
        <ZoneSwitch />
        <ThemeSwitch />
        <Button variant="quiet" icon={<SearchIcon />} onClick={search}>
          Go to…
        </Button>
      </div>
    </Dialog>
  );
}
