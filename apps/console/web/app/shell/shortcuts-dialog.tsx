import { type ReactElement } from 'react';
import { preferences, usePreferences } from '../../browser/preferences';
import { Dialog } from '../../ui/dialog/dialog';
import { Switch } from '../../ui/fields/check-field';
import styles from './shell.module.css';

const shortcuts: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['Ctrl', 'K'], 'Go to a page, an id or a command (⌘K on a Mac)'],
  [['/'], 'Focus the filters of a list'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open the row'],
  [['?'], 'Show these shortcuts'],
];

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { hasShortcuts } = usePreferences();
  return (
    <Dialog isOpen onClose={onClose} title="Keyboard shortcuts">
      <dl className={styles.shortcuts}>
        {shortcuts.map(([keys, meaning]) => (
          <div key={meaning} className={styles.shortcut}>
            <dt>
              {keys.map((key) => (
                <kbd key={key} className={styles.keys}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Switch
        label="Single-letter shortcuts"
        isChecked={hasShortcuts}
        onChange={(isOn) => preferences.set({ hasShortcuts: isOn })}
      />
    </Dialog>
  );
}
