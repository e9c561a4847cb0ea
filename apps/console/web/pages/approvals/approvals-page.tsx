import { type ReactElement } from 'react';
import { Page } from '../../frame/page';
import { Tabs } from '../../ui/tabs/tabs';
import { PolicyList } from './policy-list';
import { RequestList } from './request-list';
import { approvalsRoute } from './route';
import { text } from './text';

export function ApprovalsPage(): ReactElement {
  const { tab = 'requests' } = approvalsRoute.useSearch();
  const navigate = approvalsRoute.useNavigate();
  const words = text.tabs;
  return (
    <Page title={text.title} subtitle={text.purpose}>
      <Tabs
        label={words.label}
        value={tab}
        onChange={(next) => void navigate({ search: next === 'policies' ? { tab: next } : {} })}
        tabs={[
          { key: 'requests', label: words.requests, panel: <RequestList /> },
          { key: 'policies', label: words.policies, panel: <PolicyList /> },
        ]}
      />
    </Page>
  );
}
