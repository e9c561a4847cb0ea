import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useRead, useWrite } from '../../api/use-api';
import { standingOf } from '../../calls/budget-standing';
import { useBudgetPressure } from '../../calls/use-budget-pressure';
import { spentShare } from '../../format/money';
import { formatPercent } from '../../format/numbers';
import { Facts, Page, Section } from '../../frame/page';
import { ReadPage } from '../../frame/read-page';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { Result } from '../../ui/states/result';
import { DataTable } from '../../ui/table/data-table';
import { Id } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { type Budget } from './budget';
import { EditBudget } from './create-budget';
import { DeleteBudget } from './delete-budget';
import { Meter, MeterNotes } from './meter';
import { budgetRoute, budgetsRoute } from './route';
import { ScopeName, useScopeNames } from './scope-name';
import { StandingBadge } from './standing-badge';
import { actionWords, periodWords, text } from './text';

const words = text.one;
const parent = <Link to={budgetsRoute.to}>{words.parent}</Link>;

export function BudgetPage(): ReactElement {
  const { budgetId } = budgetRoute.useParams();
  const budget = useRead('/budgets/{budget_id}', { params: { path: { budget_id: budgetId } } });
  return (
    <ReadPage of={budget} words={words} parent={parent}>
      {(data) => <OneBudget budget={data} />}
    </ReadPage>
  );
}

function OneBudget({ budget }: { readonly budget: Budget }): ReactElement {
  const canWrite = useCan('budget:write');
  const names = useScopeNames([budget]);
  const pressure = useBudgetPressure()(budget);
  return (
    <Page
      title={budget.name}
      parent={parent}
      subtitle={<StandingBadge standing={standingOf(budget, pressure)} />}
      actions={canWrite && <Actions budget={budget} />}
    >
      <Section title={words.spent}>
        <Meter budget={budget} pressure={pressure} />
        <MeterNotes budget={budget} />
      </Section>
      <Section title={words.facts}>
        <Facts
          of={[
            [words.id, <Id key="" id={budget.id} />],
            [words.scope, <ScopeName key="" of={budget} names={names} />],
            [words.period, periodWords[budget.period]],
            [words.action, actionWords[budget.action]],
            [words.created, <Time key="" at={budget.created_at} as="instant" />],
            [words.updated, <Time key="" at={budget.updated_at} as="instant" />],
          ]}
        />
      </Section>
      <Section title={words.periods}>
        {budget.period === 'session' ? (
          <p className="muted">{words.periodsNone}</p>
        ) : (
          <Periods budget={budget} />
        )}
      </Section>
    </Page>
  );
}

function Periods({ budget: { id, amount_nanos: amount } }: { readonly budget: Budget }): ReactElement {
  const periods = useRead('/budgets/{budget_id}/periods', { params: { path: { budget_id: id } } });
  const columns = text.periods;
  return (
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
              align: 'end',
              cell: ({ spent_nanos: spent }) => formatPercent(spentShare(spent, amount)),
            },
          ]}
        />
      )}
    </Result>
  );
}

function Actions({ budget }: { readonly budget: Budget }): ReactElement {
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const params = { path: { budget_id: budget.id } };
  const toggle = useWrite(
    (api, enabled: boolean) => api.patch('/budgets/{budget_id}', { params, body: { enabled } }),
    {
      changes: ['/budgets', '/audit-log'],
      says: (changed) => (changed.enabled ? words.enabled : words.disabled),
    },
  );
  return (
    <>
      <Button isBusy={toggle.isBusy} onClick={() => void toggle.run(!budget.enabled)}>
        {budget.enabled ? words.disable : words.enable}
      </Button>
      <Button onClick={() => setOpen('edit')}>{words.edit}</Button>
      <Button variant="danger" onClick={() => setOpen('delete')}>
        {words.delete}
      </Button>
      <EditBudget budget={budget} isOpen={open === 'edit'} onClose={close} />
      <DeleteBudget budget={budget} isOpen={open === 'delete'} onClose={close} />
    </>
  );
}
