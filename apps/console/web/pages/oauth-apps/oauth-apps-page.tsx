import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { Page } from '../../app/page';
import { usePages } from '../../app/pages-of-list';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { Button } from '../../ui/button/button';
import { PlusIcon } from '../../ui/icons/icons';
import { Result } from '../../ui/states/result';
import { Empty } from '../../ui/states/states';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { Tabs } from '../../ui/tabs/tabs';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { Grants } from './grants';
import { type OauthApp } from './oauth-app';
import { RegisterApp } from './register-app';
import { oauthAppRoute, oauthAppsRoute } from './route';
import { stateWords, text, typeWords } from './text';

const PAGE_SIZE = 50;

export function OauthAppsPage(): ReactElement {
  const { create = false, tab } = oauthAppsRoute.useSearch();
  const navigate = oauthAppsRoute.useNavigate();
  const canWrite = useCan('oauth_app:write');
  const canReadGrants = useCan('grant:read');
  const setCreating = (isOpen: boolean) =>
    void navigate({
      search: (before) => ({ ...before, create: isOpen || undefined }),
      state: true,
      replace: true,
    });
  const registerButton = canWrite && (
    <Button variant="primary" icon={<PlusIcon />} onClick={() => setCreating(true)}>
      {text.register}
    </Button>
  );
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
      {canWrite && <RegisterApp isOpen={create} onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Apps(): ReactElement {
  const pages = usePages();
  const query = { limit: PAGE_SIZE, cursor: pages.cursor };
  const apps = useRead('/oauth-apps', { params: { query } }, { keepsPrevious: true });
  return (
    <Result of={apps} lines={6}>
      {({ data, next_cursor: next }) => (
        <>
          {data.length === 0 && next === null ? (
            <Empty title={text.emptyTitle}>{text.empty}</Empty>
          ) : (
            <DataTable
              caption={text.caption}
              columns={columns}
              rows={data}
              rowKey={({ id }) => id}
              isStale={apps.isPlaceholderData}
            />
          )}
          <Pagination pages={pages} nextCursor={next} />
        </>
      )}
    </Result>
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
