import { type ReactElement, useState } from 'react';
import { useRead } from '../api/use-api';
import { formatCount } from '../format/numbers';
import { Section } from '../frame/page';
import { Result } from '../ui/states/result';
import { DataTable } from '../ui/table/data-table';
import { FooterRow } from '../ui/table/footer-row';
import { Filled } from '../ui/text/filled';
import { Name } from '../ui/text/id';
import { Money } from '../ui/text/money';
import { lastDays } from './last-days';
import { failedMeans } from './outcome-words';
import { usageWords as words } from './text';

const TOP = 10;

interface ModelUsageProps {
  /** Whose calls they are. */
  readonly of: { readonly api_key_id: string } | { readonly project_id: string };
  /** Said where no call has ended. */
  readonly empty: string;
}

/** Calls and their cost, by model. */
export function ModelUsage({ of, empty }: ModelUsageProps): ReactElement {
  const usage = useRead('/usage', { params: { query: { ...of, group_by: 'model', top: TOP } } });
  return (
    <Section title={words.title}>
      <LastWeek of={of} />
      <Result of={usage} lines={3}>
        {({ data, total }) =>
          data.length === 0 ? (
            <p className="muted">{empty}</p>
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
                { key: 'calls', header: words.calls, align: 'end', cell: (row) => formatCount(row.requests) },
                {
                  key: 'failed',
                  header: words.failed,
                  hint: failedMeans,
                  align: 'end',
                  cell: (row) => formatCount(row.failed),
                },
                {
                  key: 'spend',
                  header: words.spend,
                  align: 'end',
                  cell: ({ customer_nanos }) => <Money amount={customer_nanos} />,
                },
              ]}
              footer={
                <FooterRow
                  label={words.total}
                  cells={[
                    [words.calls, formatCount(total.requests)],
                    [words.failed, formatCount(total.failed)],
                    [words.spend, <Money key="" amount={total.customer_nanos} />],
                  ]}
                />
              }
            />
          )
        }
      </Result>
    </Section>
  );
}

const WEEK_DAYS = 7;

/** The figure that most people come for: the cost of this week. */
function LastWeek({ of }: Pick<ModelUsageProps, 'of'>): ReactElement | null {
  const [range] = useState(() => lastDays(WEEK_DAYS));
  const { data } = useRead('/usage', { params: { query: { ...of, ...range } } });
  if (data === undefined || data.total.requests === 0) return null;
  const { requests, customer_nanos: spend } = data.total;
  return (
    <p>
      <Filled sentence={words.lastWeek(requests)} places={{ spend: <Money amount={spend} /> }} />
    </p>
  );
}
