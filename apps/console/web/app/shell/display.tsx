import { type ReactElement } from 'react';
import { preferences, usePreferences } from '../../browser/preferences';
import { onDemandMenu } from '../../ui/menu/on-demand-menu';
import { Segmented } from '../../ui/segmented/segmented';
import { ThemeButton } from './menu-buttons';

const zones = [
  { value: 'local', label: 'Local' },
  { value: 'utc', label: 'UTC' },
] as const;

/** Whose clock instants are shown by, on every page. */
export function ZoneSwitch(): ReactElement {
  const { zone } = usePreferences();
  return (
    <Segmented
      label="Time zone"
      value={zone}
      onChange={(value) => preferences.set({ zone: value })}
      choices={zones}
    />
  );
}

export const ThemeSwitch = onDemandMenu(ThemeButton, async () => (await import('./theme-menu')).ThemeMenu);
