import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { useOpened } from '../../browser/opened';
import { BudgetLimit, BudgetScope, useScopeNames } from '../../calls/budget-scope';
import { isOfEach, standingOf } from '../../calls/budget-standing';
import { useBudgetPressure } from '../../calls/use-budget-pressure';
import { Facts, Page, Section } from '../../frame/page';
import { ReadPage } from '../../frame/read-page';
import { useCan } from '../../session/organization';
import { Button } from '../../ui/button/button';
import { ErrorNote } from '../../ui/states/error-note';
import { Id } from '../../ui/text/id';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { type Budget } from './budget';
import { EditBudget } from './create-budget';
import { DeleteBudget } from './delete-budget';
import { Meter, MeterNotes } from './meter';
import { OverrideDialog } from './override-form';
import { OverrideNote } from './override-note';
import { Periods } from './periods';
import { budgetRoute, budgetsRoute } from './route';
import { MostConsumed, Spends } from './spends';
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
      subtitle={
        <>
          <StandingBadge standing={standingOf(budget, pressure)} /> <BudgetLimit of={budget} names={names} />
        </>
      }
      actions={canWrite && <Actions budget={budget} />}
    >
      <Section title={words.spent}>
        <Meter budget={budget} pressure={pressure} />
        <MeterNotes budget={budget} />
        {isOfEach(budget) && <MostConsumed key={budget.id} budget={budget} />}
        <OverrideNote budget={budget} />
      </Section>
      <Spends key={budget.id} budget={budget} />
      <Section title={words.facts}>
        <Facts
          of={[
            [words.id, <Id key="" id={budget.id} />],
            [words.scope, <BudgetScope key="" of={budget} names={names} />],
            [words.period, periodWords[budget.period]],
            [words.amount, <Money key="" amount={budget.amount_nanos} />],
            [words.action, actionWords[budget.action]],
            [words.created, <Time key="" at={budget.created_at} as="instant" />],
            [words.updated, <Time key="" at={budget.updated_at} as="instant" />],
          ]}
        />
      </Section>
      <Periods budget={budget} />
    </Page>
  );
}

function Actions({ budget }: { readonly budget: Budget }): ReactElement {
  const [open, setOpen] = useState<'override' | 'delete' | null>(null);
  const editing = useOpened('edit');
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
      <Button onClick={editing.open}>{words.edit}</Button>
      <Button onClick={() => setOpen('override')}>{text.override.open}</Button>
      <Button variant="danger" onClick={() => setOpen('delete')}>
        {words.delete}
      </Button>
      <ErrorNote error={toggle.error} />
      <EditBudget budget={budget} {...editing.dialog} />
      <OverrideDialog budget={budget} isOpen={open === 'override'} onClose={close} />
      <DeleteBudget budget={budget} isOpen={open === 'delete'} onClose={close} />
    </>
  );
}
