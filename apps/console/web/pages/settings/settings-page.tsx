import { type ReactElement } from 'react';
import { Page } from '../../frame/page';
import { About } from './about';
import { Account } from './account';
import { OrganizationSection } from './organization-section';
import { PreferencesSection } from './preferences-section';
import { text } from './text';

export function SettingsPage(): ReactElement {
  return (
    <Page title={text.title} subtitle={text.purpose}>
      <OrganizationSection />
      <Account />
      <PreferencesSection />
      <About />
    </Page>
  );
}
