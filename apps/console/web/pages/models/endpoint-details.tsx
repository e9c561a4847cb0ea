import { type ReactElement } from 'react';
import { type CatalogEndpoint } from '../../api/use-catalog';
import { formatCount, formatDuration } from '../../format/numbers';
import { visibleText } from '../../format/visible-text';
import { Facts } from '../../frame/page';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Price } from './price';
import { Reasons } from './reasons';
import { operationWords, text } from './text';

const words = text.model;
const named = (names: readonly string[]): string =>
  names.length === 0 ? text.none : names.map(visibleText).join(', ');

interface EndpointDetailsProps {
  readonly of: CatalogEndpoint;
  readonly name: string;
}

/** One endpoint of a model: what it takes, what it costs, and whether calls can use it. */
export function EndpointDetails({ of: endpoint, name }: EndpointDetailsProps): ReactElement {
  return (
    <>
      <Reasons of={endpoint.reasons ?? []} />
      <Facts of={factsOf(endpoint)} />
      <DataTable
        caption={words.prices(name)}
        columns={columns}
        rows={pricesOf(endpoint)}
        rowKey={({ applies }) => applies}
      />
    </>
  );
}

function factsOf(endpoint: CatalogEndpoint): readonly (readonly [string, string])[] {
  const { credential, latency, operations, parameters, extra_parameters: extra } = endpoint;
  return [
    [words.retention, endpoint.data_retention === 'zero' ? words.zero : words.retained],
    ...(credential === undefined ? [] : [[words.credential, words.credentials[credential]] as const]),
    ...(latency === undefined
      ? []
      : [[words.latency, latency === null ? words.notMeasured : formatDuration(latency)] as const]),
    [words.routes, operations.map((operation) => operationWords[operation]).join(', ')],
    [words.parameters, parameters === null ? words.allParameters : named(parameters)],
    ...(extra.length === 0 ? [] : [[words.extra, named(extra)] as const]),
  ];
}

type Rates = Pick<CatalogEndpoint['prices'], 'input' | 'output' | 'cached_input' | 'cache_write'>;
interface PriceRow extends Rates {
  /** The calls that pay it. */
  readonly applies: string;
}

function pricesOf({ prices, betas }: CatalogEndpoint): readonly PriceRow[] {
  return [
    ...ratesOf(prices, words.calls, words.above),
    ...betas.flatMap(({ name, prices: ofBeta }) => {
      const beta = words.beta(visibleText(name));
      return ratesOf(ofBeta, beta, (tokens) => `${beta} · ${words.above(tokens)}`);
    }),
  ];
}

function ratesOf(
  { long_prompt: long, ...rates }: CatalogEndpoint['prices'],
  applies: string,
  above: (tokens: string) => string,
): readonly PriceRow[] {
  const ordinary = { ...rates, applies };
  return long === null ? [ordinary] : [ordinary, { ...long, applies: above(formatCount(long.above)) }];
}

const price = (key: keyof Rates, header: string): Column<PriceRow> => ({
  key,
  header,
  align: 'end',
  cell: (row) => <Price of={row[key]} />,
});
const columns: readonly Column<PriceRow>[] = [
  { key: 'applies', header: words.applies, wraps: true, cell: ({ applies }) => applies },
  price('input', words.input),
  price('output', words.answer),
  price('cached_input', words.cached),
  price('cache_write', words.written),
];
