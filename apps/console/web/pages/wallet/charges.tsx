import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { type components } from '../../api/generated/management';
import { useRead } from '../../api/use-api';
import { lastDays } from '../../calls/last-days';
import { formatCount } from '../../format/numbers';
import { formatUtcDay } from '../../format/time';
import { Empty } from '../../ui/states/states';
import { Result } from '../../ui/states/result';
import { DataTable } from '../../ui/table/data-table';
import { Money } from '../../ui/text/money';
import { walletRoute } from './route';
import { text } from './text';

type Day = components['schemas']['UsageRow'];

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Charges of each of the last days, the newest first; a day leads to its charges. */
export function Charges(): ReactElement {
  const words = text.charges;
  const [range] = useState(() => lastDays(DAYS));
  const usage = useRead('/usage', { params: { query: { ...range, group_by: 'day' } } });
  return (
    <Result of={usage} lines={10}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty title={words.emptyTitle}>{words.empty}</Empty>
        ) : (
          <DataTable
            caption={words.caption}
            rows={[...data].reverse()}
            rowKey={({ day = '' }) => day}
            columns={[
              { key: 'day', header: words.day, cell: DayLink },
              {
                key: 'calls',
                header: words.calls,
                align: 'end',
                cell: ({ requests }) => formatCount(requests),
              },
              {
                key: 'charged',
                header: words.charged,
                align: 'end',
                cell: ({ customer_nanos: amount }) => <Money amount={amount} />,
              },
            ]}
          />
        )
      }
    </Result>
  );
}

function DayLink({ day = '' }: Day): ReactElement {
  const after = `${day}T00:00:00.000Z`;
  const before = new Date(Date.parse(after) + DAY_MS).toISOString();
  return (
    <Link to={walletRoute.to} search={{ kind: ['charge'], after, before }}>
      {formatUtcDay(day)}
    </Link>
  );
}
