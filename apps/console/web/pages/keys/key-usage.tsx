import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { Section } from '../../app/page';
import { formatCount } from '../../format/numbers';
import { Result } from '../../ui/states/result';
import { DataTable } from '../../ui/table/data-table';
import { Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { type ApiKey } from './key';
import { text } from './text';

const TOP = 10;

/** What the key was used for and what it cost, by model. */
export function KeyUsage({ apiKey: { id } }: { readonly apiKey: ApiKey }): ReactElement {
  const query = { api_key_id: id, group_by: 'model', top: TOP };
  const usage = useRead('/usage', { params: { query } });
  const words = text.usage;
  return (
    <Section title={text.key.usage}>
      <Result of={usage} lines={3}>
        {({ data, total }) =>
          data.length === 0 ? (
            <p className="muted">{text.key.usageEmpty}</p>
          ) : (
            <DataTable
              caption={words.caption}
              rows={data}
              rowKey={({ model, other }) => (other ? 'other' : (model ?? ''))}
              columns={[
                {
                  key: 'model',
                  header: words.model,
                  cell: ({ model, other }) => (other ? words.other : <Name>{model ?? ''}</Name>),
                },
                {
                  key: 'calls',
                  header: words.calls,
                  align: 'end',
                  cell: ({ requests }) => formatCount(requests),
                },
                {
                  key: 'failed',
                  header: words.failed,
                  align: 'end',
                  cell: ({ failed }) => formatCount(failed),
                },
                {
                  key: 'spend',
                  header: words.spend,
                  align: 'end',
                  cell: ({ customer_nanos }) => <Money amount={customer_nanos} />,
                },
              ]}
              footer={
                <tr>
                  <th scope="row">{words.total}</th>
                  <td data-align="end">{formatCount(total.requests)}</td>
                  <td data-align="end">{formatCount(total.failed)}</td>
                  <td data-align="end">
                    <Money amount={total.customer_nanos} />
                  </td>
                </tr>
              }
            />
          )
        }
      </Result>
    </Section>
  );
}
