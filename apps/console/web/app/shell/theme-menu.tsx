import { type ReactElement } from 'react';
import { preferences, usePreferences } from '../../browser/preferences';
import { Menu, MenuChoices } from '../../ui/menu/menu';
import { type OnDemandProps } from '../../ui/menu/on-demand-menu';
import { ThemeButton } from './menu-buttons';

const themes = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

export function ThemeMenu({ isOpenAtFirst }: OnDemandProps): ReactElement {
  const { theme } = usePreferences();
  return (
    <Menu trigger={<ThemeButton />} isOpenAtFirst={isOpenAtFirst}>
      <MenuChoices
        label="Theme"
        value={theme}
        onChange={(value) => preferences.set({ theme: value })}
        choices={themes}
      />
    </Menu>
  );
}
