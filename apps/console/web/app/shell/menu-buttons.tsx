import { type ReactElement } from 'react';
import { usePreferences } from '../../browser/preferences';
import { visibleText } from '../../format/visible-text';
import { useOrganization } from '../../session/organization';
import { Button, type ButtonProps, IconButton } from '../../ui/button/button';
import { ChevronsIcon, MoonIcon, ScreenIcon, SunIcon, UserIcon } from '../../ui/icons/icons';
import styles from './shell.module.css';

type TriggerProps = Partial<Omit<ButtonProps, 'icon' | 'children' | 'variant'>>;

export function AccountButton(props: TriggerProps): ReactElement {
  return <IconButton label="Account" icon={<UserIcon />} {...props} />;
}

const themeIcons = { system: ScreenIcon, light: SunIcon, dark: MoonIcon };

export function ThemeButton(props: TriggerProps): ReactElement {
  const Icon = themeIcons[usePreferences().theme];
  return <IconButton label="Theme" icon={<Icon />} {...props} />;
}

export function OrganizationButton(props: TriggerProps): ReactElement {
  const { name } = useOrganization();
  return (
    <Button variant="quiet" {...props}>
      <span className="visually-hidden">Organization: </span>
      <span className={styles.clipped}>{visibleText(name)}</span>
      <ChevronsIcon />
    </Button>
  );
}
