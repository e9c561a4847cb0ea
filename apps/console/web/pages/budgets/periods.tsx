import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { isOfEach } from '../../calls/budget-standing';
import { spentShare } from '../../format/money';
import { formatPercent } from '../../format/numbers';
import { Section } from '../../frame/page';
import { useList } from '../../frame/use-list';
import { Result } from '../../ui/states/result';
import { DataTable } from '../../ui/table/data-table';
import { Filled } from '../../ui/text/filled';
import { Name } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { type Budget } from './budget';
import { spendList } from './list';
import { text } from './text';

const words = text.one;
const columns = text.periods;

/** Spend by period. A budget of each has the periods of the one that is chosen among who spent most. */
export function Periods({ budget }: { readonly budget: Budget }): ReactElement {
  const { whose } = useList(spendList).search;
  const isEach = isOfEach(budget);
  return (
    <Section title={words.periods}>
      {budget.period === 'session' ? (
        <p className="muted">{words.periodsNone}</p>
      ) : isEach && whose === undefined ? (
        <p className="muted">{words.periodsWhose}</p>
      ) : (
        <PeriodTable budget={budget} whose={isEach ? whose : undefined} />
      )}
    </Section>
  );
}

interface PeriodTableProps {
  readonly budget: Budget;
  /** Undefined for a budget that names one. */
  readonly whose: string | undefined;
}

function PeriodTable({
  budget: { id, amount_in_force_nanos: amount },
  whose,
}: PeriodTableProps): ReactElement {
  const params = { path: { budget_id: id }, query: { scope_id: whose } };
  const periods = useRead('/budgets/{budget_id}/periods', { params });
  return (
    <>
      {whose !== undefined && (
        <p>
          <Filled sentence={words.periodsOf} places={{ who: <Name>{whose}</Name> }} />
        </p>
      )}
      <Result of={periods} lines={6}>
        {({ data }) => (
          <DataTable
            caption={columns.caption}
            rows={data}
            rowKey={({ start }) => start}
            columns={[
              { key: 'period', header: columns.period, cell: ({ start }) => start },
              {
                key: 'spent',
                header: columns.spent,
                align: 'end',
                cell: ({ spent_nanos: spent }) => <Money amount={spent} />,
              },
              {
                key: 'share',
                header: columns.share,
                hint: columns.shareHint,
                align: 'end',
                cell: ({ spent_nanos: spent }) => formatPercent(spentShare(spent, amount)),
              },
            ]}
          />
        )}
      </Result>
    </>
  );
}
