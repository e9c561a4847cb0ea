import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { providersOf } from '../../api/providers';
import { type CatalogModel } from '../../api/use-catalog';
import { formatCompact, formatCount } from '../../format/numbers';
import { Badge } from '../../ui/badge/badge';
import { type Column, type ColumnSort } from '../../ui/table/data-table';
import { Name } from '../../ui/text/id';
import { cheapestEndpoint } from './matches';
import styles from './models.module.css';
import { type ModelKey } from './orders';
import { Price } from './price';
import { modelRoute } from './route';
import { text } from './text';

const { columns, hints } = text;

type SortBy = (key: ModelKey) => ColumnSort;

const price = (key: 'input' | 'output', header: string, sort: ColumnSort): Column<CatalogModel> => ({
  key,
  sort,
  header,
  hint: hints.price,
  align: 'end',
  cell: (model) => {
    const endpoint = cheapestEndpoint(model);
    return endpoint === null ? text.none : <Price of={endpoint.prices[key]} />;
  },
});

const always = (sortBy: SortBy): readonly Column<CatalogModel>[] => [
  {
    key: 'context',
    sort: sortBy('context'),
    header: columns.context,
    hint: hints.context,
    align: 'end',
    cell: ({ context_window: tokens }) => <Tokens count={tokens} />,
  },
  {
    key: 'outputLimit',
    sort: sortBy('output'),
    header: columns.output,
    hint: hints.output,
    align: 'end',
    cell: ({ max_output_tokens: tokens }) => (tokens === 0 ? text.noOutput : <Tokens count={tokens} />),
  },
  price('input', columns.input, sortBy('input_price')),
  price('output', columns.answer, sortBy('output_price')),
  {
    key: 'providers',
    header: columns.providers,
    wraps: true,
    cell: (model) => providersOf([model]).join(', '),
  },
];

/** Whether models can be called is a column where the API says so: that needs the policy. */
export const modelColumns = (
  models: readonly CatalogModel[],
  sortBy: SortBy,
): readonly Column<CatalogModel>[] => [
  {
    key: 'model',
    header: columns.model,
    sort: sortBy('model'),
    cell: (model) => <NamedModel model={model} />,
  },
  ...(models.some(({ eligible }) => eligible !== undefined)
    ? [
        {
          key: 'callable',
          header: columns.callable,
          cell: (model: CatalogModel) => <Callable model={model} />,
        },
      ]
    : []),
  ...always(sortBy),
];

/** The route of a model has its id in two parts. */
const modelParams = (id: string): { readonly creator: string; readonly model: string } => {
  const slash = id.indexOf('/');
  return { creator: id.slice(0, slash), model: id.slice(slash + 1) };
};

function NamedModel({ model: { id, display_name: name } }: { readonly model: CatalogModel }): ReactElement {
  return (
    <>
      <Link to={modelRoute.to} params={modelParams(id)}>
        <Name>{name}</Name>
      </Link>
      <code className={styles.under}>
        <Name>{id}</Name>
      </code>
    </>
  );
}

function Callable({ model: { eligible = true } }: { readonly model: CatalogModel }): ReactElement {
  return <Badge tone={eligible ? 'good' : 'warn'}>{eligible ? text.yes : text.no}</Badge>;
}

function Tokens({ count }: { readonly count: number }): ReactElement {
  return (
    <span className="number" data-tip={text.model.tokens(formatCount(count))}>
      {formatCompact(count)}
    </span>
  );
}
