import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { PAGE_SIZE, usePages } from '../../browser/pages-of-list';
import { type ModelRequest } from '../../calls/request';
import { Page } from '../../frame/page';
import { SearchedTo } from '../../frame/searched-to';
import { Button } from '../../ui/button/button';
import { Switch } from '../../ui/fields/check-field';
import { PageLink } from '../../ui/page-link';
import { Result } from '../../ui/states/result';
import { Empty, NoMatch } from '../../ui/states/states';
import { DataTable } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { CsvButton } from './csv-button';
import { requestList } from './list';
import { useRequestColumns } from './request-columns';
import { RequestFilters } from './request-filters';
import { RequestPanel } from './request-panel';
import styles from './requests.module.css';
import { requestsRoute } from './route';
import { text } from './text';
import { useCallNames } from './use-call-names';
import { useHeldRows } from './use-held-rows';

const LIVE_EVERY_MS = 2_000;
const none: readonly ModelRequest[] = [];
const refused = <PageLink to="/refusals">{text.refused}</PageLink>;

export function RequestsPage(): ReactElement {
  const search = requestsRoute.useSearch();
  const pages = usePages();
  const isLive = search.live === true && pages.cursor === undefined;
  const query = { ...requestList.queryOf(search), ...pages.query };
  const requests = useRead(
    '/requests',
    { params: { query } },
    { keepsPrevious: true, everyMs: isLive && LIVE_EVERY_MS },
  );
  const fresh = requests.data?.data ?? none;
  const { rows, waiting, list, showNew } = useHeldRows(fresh, isLive);
  const names = useCallNames(rows, search);
  const columns = useRequestColumns(names);
  return (
    <Page title={text.title} subtitle={text.purpose} actions={refused}>
      <RequestFilters names={names} actions={<ListActions />} />
      <div ref={list}>
        {isLive && <NewRows waiting={waiting} onShow={showNew} />}
        <Result of={requests} lines={12}>
          {({ data, next_cursor: next, has_more: hasMore }) => (
            <>
              {rows.length > 0 ? (
                <DataTable
                  caption={text.caption}
                  columns={columns}
                  rows={rows}
                  rowKey={({ id }) => id}
                  isStale={requests.isPlaceholderData}
                  currentKey={search.open ?? null}
                />
              ) : (
                <NoRows hasMore={hasMore} />
              )}
              <Pagination
                pages={pages}
                nextCursor={next}
                {...(hasMore &&
                  data.length < PAGE_SIZE && { searchedTo: <SearchedTo kind="request" cursor={next} /> })}
              />
            </>
          )}
        </Result>
      </div>
      <RequestPanel
        list={{
          rows,
          pages,
          nextCursor: requests.data?.next_cursor ?? null,
          isStale: requests.isPlaceholderData,
        }}
      />
    </Page>
  );
}

function NewRows(props: { readonly waiting: number; readonly onShow: () => void }): ReactElement {
  const { waiting, onShow } = props;
  return (
    <div className={styles.new} role="status">
      {waiting > 0 && <Button onClick={onShow}>{text.showNew(waiting)}</Button>}
    </div>
  );
}

const ListActions = (): ReactElement => (
  <>
    <LiveSwitch />
    <CsvButton />
  </>
);

function LiveSwitch(): ReactElement {
  const { live = false } = requestsRoute.useSearch();
  const navigate = requestsRoute.useNavigate();
  const set = (isOn: boolean) =>
    void navigate({ search: (before) => ({ ...before, live: isOn || undefined }), replace: true });
  return <Switch label={text.live} isChecked={live} onChange={set} />;
}

function NoRows({ hasMore }: { readonly hasMore: boolean }): ReactElement {
  const search = requestsRoute.useSearch();
  const navigate = requestsRoute.useNavigate();
  if (hasMore) return <p>{text.nothingYet}</p>;
  if (requestList.valuesOf(search).some((value) => value !== undefined))
    return <NoMatch what={text.what} onClear={() => void navigate({ search: ({ live }) => ({ live }) })} />;
  return (
    <Empty title={text.emptyTitle} action={<PageLink to="/start">{text.first}</PageLink>}>
      {text.empty}
    </Empty>
  );
}
