import { type ReactElement } from 'react';
import { chargeOf, type ModelRequest } from '../../calls/request';
import { formatCount, formatPercent } from '../../format/numbers';
import { pricePerMillion } from '../../format/price';
import { Facts, Section } from '../../frame/page';
import { PageLink } from '../../ui/page-link';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Id } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { exactDollars, sumOf } from './decimals';
import styles from './requests.module.css';
import { text } from './text';

const words = text.cost;
const WHOLE_BPS = 10_000;
type Line = NonNullable<ModelRequest['cost']['lines']>[number];

/** How the charge of a call came about, to the last fraction of a nano. */
export function RequestCost({ of: call }: { readonly of: ModelRequest }): ReactElement {
  const { cost } = call;
  const { customer_nanos: total, held_nanos: held, transaction_id: transaction, lines, rounding } = cost;
  const { price_bps: bps, provider_nanos: ownAccount } = cost;
  const isFinal = cost.state === 'final';
  return (
    <Section title={words.title}>
      {lines === null ? <p>{words.unknownLines}</p> : lines.length > 0 && <Lines of={call} lines={lines} />}
      <Facts
        of={[
          ...(lines === null || lines.length === 0
            ? []
            : [
                [words.sum, <Exact key="" nanos={sumOf(lines.map(({ amount }) => amount))} />] as const,
                ...(bps === null || bps === WHOLE_BPS
                  ? []
                  : [[words.priceBps, formatPercent(bps / WHOLE_BPS)] as const]),
                [words.rounding, <Exact key="" nanos={rounding ?? '0'} />] as const,
              ]),
          ...(cost.beyond_hold_nanos === null || cost.beyond_hold_nanos === 0n
            ? []
            : [[words.beyond, <Money key="" amount={cost.beyond_hold_nanos} as="detail" />] as const]),
          [words.total, <Money key="" amount={total} as="detail" />],
          ...(ownAccount === 0n
            ? []
            : [[words.ownAccount, <Money key="" amount={ownAccount} as="detail" />] as const]),
          [words.state, words.states[chargeOf(call)]],
          [words.held, <Money key="" amount={held} as="exact" />],
          ...(isFinal && held >= total
            ? [[words.givenBack, <Money key="" amount={held - total} as="exact" />] as const]
            : []),
          ...(transaction === null
            ? []
            : [[words.transaction, <Transaction key="" id={transaction} />] as const]),
        ]}
      />
    </Section>
  );
}

function Lines({ of, lines }: { readonly of: ModelRequest; readonly lines: readonly Line[] }): ReactElement {
  const reasoning = of.usage.reasoning_tokens;
  const columns: readonly Column<Line>[] = [
    {
      key: 'kind',
      header: words.kind,
      cell: ({ kind }) => (
        <>
          {words.kinds[kind]}{' '}
          {kind === 'output' && reasoning > 0 && (
            <span className={styles.charge}>{words.reasoning(reasoning)}</span>
          )}
        </>
      ),
    },
    { key: 'tokens', header: words.tokens, align: 'end', cell: ({ tokens }) => formatCount(tokens) },
    { key: 'price', header: words.price, align: 'end', cell: ({ price }) => pricePerMillion(price) ?? price },
    { key: 'amount', header: words.amount, align: 'end', cell: ({ amount }) => <Exact nanos={amount} /> },
  ];
  return <DataTable caption={words.caption} columns={columns} rows={lines} rowKey={({ kind }) => kind} />;
}

/** An amount that may have fractions of a nano. */
const Exact = ({ nanos }: { readonly nanos: string }): ReactElement => (
  <span className={styles.exact}>{exactDollars(nanos)}</span>
);

const Transaction = ({ id }: { readonly id: string }): ReactElement => (
  <Id id={id} wrap={(shown) => <PageLink to="/wallet">{shown}</PageLink>} />
);
