import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { type CatalogEndpoint } from '../../api/use-catalog';
import { formatDuration } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { Section } from '../../frame/page';
import { Dialog } from '../../ui/dialog/dialog';
import { DataTable, type Column, type ColumnSort } from '../../ui/table/data-table';
import { Name } from '../../ui/text/id';
import { EndpointDetails } from './endpoint-details';
import styles from './models.module.css';
import { orderedEndpoints, sortsBy } from './order';
import { type EndpointKey } from './orders';
import { Price } from './price';
import { ReasonList } from './reasons';
import { modelRoute } from './route';
import { Standing } from './standing';
import { text } from './text';

const words = text.model;

interface Placed {
  readonly endpoint: CatalogEndpoint;
  /** The name of the table in the address. */
  readonly place: string;
}

/** The endpoints of a model side by side. Each opens with all that it takes and costs. */
export function EndpointTable({ of }: { readonly of: readonly CatalogEndpoint[] }): ReactElement {
  const { sort: order, endpoint: open } = modelRoute.useSearch();
  const navigate = modelRoute.useNavigate();
  const places = new Map(of.map((endpoint, nth) => [endpoint, endpoint.id ?? String(nth)]));
  const rows = orderedEndpoints(of, order).map((endpoint) => ({
    endpoint,
    place: places.get(endpoint) ?? '',
  }));
  const opened = rows.find(({ place }) => place === open)?.endpoint;
  const sortBy = sortsBy(
    order,
    (sort) => void navigate({ search: (before) => ({ ...before, sort }), replace: true, resetScroll: false }),
  );
  const close = () =>
    void navigate({ search: (before) => ({ ...before, endpoint: undefined }), resetScroll: false });
  return (
    <Section title={words.endpoints}>
      {rows.length === 0 ? (
        <p className="muted">{words.noEndpoints}</p>
      ) : (
        <DataTable
          caption={words.endpoints}
          columns={columnsOf(of, sortBy)}
          rows={rows}
          rowKey={({ place }) => place}
          currentKey={open ?? null}
        />
      )}
      <Dialog
        isOpen={opened !== undefined}
        onClose={close}
        title={opened === undefined ? words.endpoints : nameOf(opened)}
        size="side"
      >
        {opened !== undefined && <EndpointDetails of={opened} name={nameOf(opened)} />}
      </Dialog>
    </Section>
  );
}

const nameOf = ({ provider, region }: CatalogEndpoint): string =>
  visibleText(words.endpoint(provider, region));

/** Columns that the API says nothing for, without the policy, are left out. */
const columnsOf = (
  all: readonly CatalogEndpoint[],
  sortBy: (key: EndpointKey) => ColumnSort,
): readonly Column<Placed>[] => [
  {
    key: 'endpoint',
    header: words.endpointOf,
    sort: sortBy('endpoint'),
    cell: (row) => <OpenLink {...row} />,
  },
  ...(all.some(({ eligible }) => eligible !== undefined) ? [standing] : []),
  price('input', words.input, sortBy('input_price')),
  price('output', words.answer, sortBy('output_price')),
  ...(all.some(({ latency }) => latency !== undefined) ? [latencyColumn(sortBy('latency'))] : []),
  ...(all.some(({ credential }) => credential !== undefined) ? [credential] : []),
  {
    key: 'retention',
    header: words.retentionShort,
    cell: ({ endpoint }) => (endpoint.data_retention === 'zero' ? words.zeroShort : words.retainedShort),
  },
];

function OpenLink({ endpoint: { provider, region }, place }: Placed): ReactElement {
  return (
    <Link
      from={modelRoute.fullPath}
      to={modelRoute.to}
      search={(before) => ({ ...before, endpoint: place })}
      resetScroll={false}
    >
      <Name>{words.endpoint(provider, region)}</Name>
    </Link>
  );
}

const standing: Column<Placed> = {
  key: 'standing',
  header: words.callable,
  wraps: true,
  cell: ({ endpoint: { eligible, reasons = [] } }) => (
    <span className={reasons.length > 0 ? `${styles.standing} ${styles.reasoned}` : styles.standing}>
      <Standing eligible={eligible} />
      <ReasonList of={reasons} />
    </span>
  ),
};

const price = (key: 'input' | 'output', header: string, sort: ColumnSort): Column<Placed> => ({
  key,
  header,
  sort,
  align: 'end',
  cell: ({ endpoint }) => <Price of={endpoint.prices[key]} />,
});

const latencyColumn = (sort: ColumnSort): Column<Placed> => ({
  key: 'latency',
  header: words.latency,
  hint: words.latencyHint,
  sort,
  align: 'end',
  cell: ({ endpoint: { latency } }) => (typeof latency === 'number' ? formatDuration(latency) : '–'),
});

const credential: Column<Placed> = {
  key: 'credential',
  header: words.credential,
  cell: ({ endpoint: { credential: whose } }) => (whose === undefined ? '–' : words.credentials[whose]),
};
