import { type ReactElement } from 'react';
import { preferences, usePreferences } from '../../browser/preferences';
import { Section } from '../../frame/page';
import { RadioGroup, Switch } from '../../ui/fields/check-field';
import { text } from './text';

const words = text.preferences;

/** How the console looks in this browser. */
export function PreferencesSection(): ReactElement {
  const { zone, theme, density, hasShortcuts } = usePreferences();
  return (
    <Section title={words.title}>
      <p className="muted">{words.note}</p>
      <RadioGroup
        label={words.zone}
        value={zone}
        onChange={(next) => preferences.set({ zone: next })}
        choices={choicesOf(words.zones)}
      />
      <RadioGroup
        label={words.theme}
        value={theme}
        onChange={(next) => preferences.set({ theme: next })}
        choices={choicesOf(words.themes)}
      />
      <RadioGroup
        label={words.density}
        value={density}
        onChange={(next) => preferences.set({ density: next })}
        choices={choicesOf(words.densities)}
      />
      <Switch
        label={words.shortcuts}
        isChecked={hasShortcuts}
        onChange={(isOn) => preferences.set({ hasShortcuts: isOn })}
      />
    </Section>
  );
}

const choicesOf = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] }));
