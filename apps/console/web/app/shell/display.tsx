import { type ReactElement, useId } from 'react';
import { IconButton } from '../../ui/button/button';
import { MoonIcon, ScreenIcon, SunIcon } from '../../ui/icons/icons';
import { Menu, MenuChoices } from '../../ui/menu/menu';
import { preferences, usePreferences } from '../preferences';
import styles from './shell.module.css';

const zones = [
  { value: 'local', label: 'Local' },
  { value: 'utc', label: 'UTC' },
] as const;

/** Whose clock instants are shown by, on every page. */
export function ZoneSwitch(): ReactElement {
  const { zone } = usePreferences();
  const name = useId();
  return (
    <fieldset className={styles.zones}>
      <legend className="visually-hidden">Time zone</legend>
      {zones.map(({ value, label }) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            checked={zone === value}
            onChange={() => preferences.set({ zone: value })}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

const themes = [
  { value: 'system', label: 'System', icon: ScreenIcon },
  { value: 'light', label: 'Light', icon: SunIcon },
  { value: 'dark', label: 'Dark', icon: MoonIcon },
] as const;

export function ThemeMenu(): ReactElement {
  const { theme } = usePreferences();
  const Icon = themes.find(({ value }) => value === theme)?.icon ?? ScreenIcon;
  return (
    <Menu trigger={<IconButton label="Theme" icon={<Icon />} />}>
      <MenuChoices
        label="Theme"
        value={theme}
        onChange={(value) => preferences.set({ theme: value })}
        choices={themes}
      />
    </Menu>
  );
}
