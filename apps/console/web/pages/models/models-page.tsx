import { type ReactElement, useDeferredValue } from 'react';
import { useCatalog, type CatalogModel } from '../../api/use-catalog';
import { usePages } from '../../browser/pages-of-list';
import { Page } from '../../frame/page';
import { useList } from '../../frame/use-list';
import { Result } from '../../ui/states/result';
import { Empty, NoMatch } from '../../ui/states/states';
import { DataTable } from '../../ui/table/data-table';
import { Pagination } from '../../ui/table/pagination';
import { modelList } from './list';
import { matchingModels } from './matches';
import { modelColumns } from './model-columns';
import { ModelFilters } from './model-filters';
import styles from './models.module.css';
import { orderedModels, sortsBy } from './order';
import { modelsRoute } from './route';
import { text } from './text';

/** The catalog is whole; this bounds what is drawn of it. */
const SHOWN_MAX = 50;

export function ModelsPage(): ReactElement {
  const catalog = useCatalog();
  return (
    <Page title={text.title} subtitle={text.purpose}>
      <ModelFilters models={catalog.data ?? []} />
      <Result of={catalog} lines={10}>
        {(models) => <Models models={models} />}
      </Result>
    </Page>
  );
}

function Models({ models }: { readonly models: readonly CatalogModel[] }): ReactElement {
  const { search: filter, clear } = useList(modelList);
  const pages = usePages();
  const { sort: order } = modelsRoute.useSearch();
  const navigate = modelsRoute.useNavigate();
  const matching = orderedModels(matchingModels(models, useDeferredValue(filter)), order);
  const sortBy = sortsBy(
    order,
    (sort) => void navigate({ search: (before) => ({ ...before, sort }), replace: true }),
  );
  const start = Number(pages.cursor ?? 0);
  const end = start + SHOWN_MAX;
  if (models.length === 0) return <Empty title={text.emptyTitle}>{text.empty}</Empty>;
  if (matching.length === 0) return <NoMatch what={text.what} onClear={clear} />;
  return (
    <>
      <p className={styles.count} role="status">
        {text.count(matching.length, models.length)}
      </p>
      <DataTable
        caption={text.caption}
        columns={modelColumns(models, sortBy)}
        rows={matching.slice(start, end)}
        rowKey={({ id }) => id}
      />
      <Pagination pages={pages} nextCursor={end < matching.length ? String(end) : null} />
    </>
  );
}
