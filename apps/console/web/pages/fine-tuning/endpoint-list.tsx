import { Link } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { usePages } from '../../browser/pages-of-list';
import { FirstButton } from '../../frame/first-button';
import { type Column } from '../../ui/table/data-table';
import { PagedTable } from '../../ui/table/paged-table';
import { Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { isUp, perMinute, type TunedEndpoint } from './endpoint';
import { EndpointBadge } from './endpoint-badge';
import { endpointText } from './endpoint-text';
import { fineTuningEndpointRoute } from './route';
import { PROGRESS_MS } from './tuning';

const words = endpointText.list;

/** The endpoints, newest first; read again while one is up. */
export function EndpointList(): ReactElement {
  const pages = usePages();
  const endpoints = useRead(
    '/fine-tuning/endpoints',
    { params: { query: pages.query } },
    { keepsPrevious: true, everyMs: ({ data }) => data.some(isUp) && PROGRESS_MS },
  );
  return (
    <PagedTable
      of={endpoints}
      pages={pages}
      columns={columns}
      words={words}
      firstAction={<FirstButton opens="create" needs="fine_tuning:write" label={words.first} />}
    />
  );
}

const columns: readonly Column<TunedEndpoint>[] = [
  {
    key: 'model',
    header: words.columns.model,
    wraps: true,
    cell: ({ id, model }) => (
      <Link to={fineTuningEndpointRoute.to} params={{ endpointId: id }}>
        <Name>{model}</Name>
      </Link>
    ),
  },
  { key: 'state', header: words.columns.state, cell: (endpoint) => <EndpointBadge of={endpoint} /> },
  {
    key: 'why',
    header: words.columns.why,
    wraps: true,
    cell: ({ stop_reason: reason }) => reason !== null && endpointText.reasons[reason],
  },
  { key: 'pace', header: words.columns.pace, align: 'end', cell: (endpoint) => <Pace of={endpoint} /> },
  {
    key: 'charged',
    header: words.columns.charged,
    align: 'end',
    cell: ({ total_charged_nanos: charged }) => <Money amount={charged} />,
  },
];

/** The present price of an endpoint. */
function Pace({ of: { state, price_per_hour_nanos: price } }: { readonly of: TunedEndpoint }): ReactElement {
  if (state !== 'running' || price === null) return <span className="muted">{words.nothing}</span>;
  return (
    <>
      <Money amount={perMinute(price)} /> {words.aMinute}
    </>
  );
}
