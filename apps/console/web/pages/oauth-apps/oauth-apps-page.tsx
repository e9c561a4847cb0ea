import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useOpened } from '../../browser/opened';
import { usePages } from '../../browser/pages-of-list';
import { FirstButton } from '../../frame/first-button';
import { Page } from '../../frame/page';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { AddButton } from '../../ui/button/add-button';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Tabs } from '../../ui/tabs/tabs';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { Grants } from './grants';
import { type OauthApp } from './oauth-app';
import { RegisterApp } from './register-app';
import { oauthAppRoute, oauthAppsRoute } from './route';
import { stateWords, text, typeWords } from './text';

export function OauthAppsPage(): ReactElement {
  const { tab } = oauthAppsRoute.useSearch();
  const navigate = oauthAppsRoute.useNavigate();
  const canWrite = useCan('oauth_app:write');
  const canReadGrants = useCan('grant:read');
  const creating = useOpened('create');
  const registerButton = canWrite && <AddButton onClick={creating.open}>{text.register}</AddButton>;
  return (
    <Page title={text.title} subtitle={text.purpose} actions={registerButton}>
      {canReadGrants ? (
        <Tabs
          label={text.tabs.label}
          value={tab ?? 'apps'}
          onChange={(next) =>
            void navigate({ search: { tab: next === 'grants' ? next : undefined }, replace: true })
          }
          tabs={[
            { key: 'apps', label: text.tabs.apps, panel: tab === undefined && <Apps /> },
            { key: 'grants', label: text.tabs.grants, panel: tab === 'grants' && <Grants /> },
          ]}
        />
      ) : (
        <Apps />
      )}
      {canWrite && <RegisterApp {...creating.dialog} />}
    </Page>
  );
}

function Apps(): ReactElement {
  const pages = usePages();
  const apps = useRead('/oauth-apps', { params: { query: pages.query } }, { keepsPrevious: true });
  return (
    <PagedTable
      of={apps}
      pages={pages}
      columns={columns}
      words={text}
      firstAction={<FirstButton opens="create" needs="oauth_app:write" label={text.first} />}
    />
  );
}

const columns: readonly Column<OauthApp>[] = [
  {
    key: 'name',
    header: text.columns.name,
    cell: ({ id, name }) => (
      <Link to={oauthAppRoute.to} params={{ appId: id }}>
        <Name>{name}</Name>
      </Link>
    ),
  },
  { key: 'type', header: text.columns.type, cell: ({ app_type: type }) => typeWords[type] },
  {
    key: 'state',
    header: text.columns.state,
    cell: ({ state }) => <Badge tone={state === 'active' ? 'good' : 'neutral'}>{stateWords[state]}</Badge>,
  },
  { key: 'scopes', header: text.columns.scopes, cell: ({ scopes }) => text.someScopes(scopes.length) },
  { key: 'created', header: text.columns.created, cell: ({ created_at: at }) => <Time at={at} /> },
];
