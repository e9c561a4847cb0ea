import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import { type ReactElement, type ReactNode } from 'react';
import styles from './tabs.module.css';

export interface TabsProps<Key extends string> {
  readonly label: string;
  readonly value: Key;
  readonly onChange: (value: Key) => void;
  readonly tabs: readonly { readonly key: Key; readonly label: ReactNode; readonly panel: ReactNode }[];
}

/** Panels of which one is shown. The address says which, where the page is told by its address. */
export function Tabs<Key extends string>({ label, value, onChange, tabs }: TabsProps<Key>): ReactElement {
  return (
    <BaseTabs.Root value={value} onValueChange={(next: Key) => onChange(next)}>
      <BaseTabs.List className={styles.list} aria-label={label} activateOnFocus={false}>
        {tabs.map((tab) => (
          <BaseTabs.Tab key={tab.key} value={tab.key} className={styles.tab}>
            {tab.label}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {tabs.map((tab) => (
        <BaseTabs.Panel key={tab.key} value={tab.key} className={styles.panel}>
          {tab.panel}
        </BaseTabs.Panel>
      ))}
    </BaseTabs.Root>
  );
}
