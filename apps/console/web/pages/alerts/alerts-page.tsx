import { type ReactElement } from 'react';
import { Page } from '../../frame/page';
import { Tabs } from '../../ui/tabs/tabs';
import { AlertList } from './alert-list';
import { alertsRoute } from './route';
import { RuleList } from './rule-list';
import { text } from './text';

export function AlertsPage(): ReactElement {
  const { tab = 'alerts' } = alertsRoute.useSearch();
  const navigate = alertsRoute.useNavigate();
  const words = text.tabs;
  return (
    <Page title={text.title} subtitle={text.purpose}>
      <Tabs
        label={words.label}
        value={tab}
        onChange={(next) => void navigate({ search: next === 'rules' ? { tab: next } : {} })}
        tabs={[
          { key: 'alerts', label: words.alerts, panel: <AlertList /> },
          { key: 'rules', label: words.rules, panel: <RuleList /> },
        ]}
      />
    </Page>
  );
}
