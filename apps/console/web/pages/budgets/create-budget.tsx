import { type ReactElement } from 'react';
import { useWrite } from '../../api/use-write';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { type Budget } from './budget';
import { BudgetForm } from './budget-form';
import { changeOf, draftOf, emptyDraft, newBudgetOf, type BudgetDraft } from './draft';
import { text } from './text';

interface DialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CreateBudget({ isOpen, onClose }: DialogProps): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} size="large" title={text.form.createTitle}>
      <NewBudget />
    </FormDialog>
  );
}

function NewBudget(): ReactElement {
  const done = useFormDone();
  const create = useWrite(
    (api, body: NonNullable<ReturnType<typeof newBudgetOf>>) => api.post('/budgets', { body }),
    { changes: ['/budgets'], says: text.form.created },
  );
  const submit = async (draft: BudgetDraft) => {
    const body = newBudgetOf(draft);
    if (body !== null && (await create.run(body)) !== null) done();
  };
  return <BudgetForm initial={emptyDraft} write={create} onSubmit={(draft) => void submit(draft)} />;
}

/** Scope and period stay what they are: another budget is made for others. */
export function EditBudget({
  budget,
  isOpen,
  onClose,
}: DialogProps & { readonly budget: Budget }): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} size="large" title={text.form.editTitle}>
      <ChangedBudget budget={budget} onClose={onClose} />
    </FormDialog>
  );
}

function ChangedBudget(props: { readonly budget: Budget; readonly onClose: () => void }): ReactElement {
  const { budget, onClose } = props;
  const params = { path: { budget_id: budget.id } };
  const change = useWrite(
    (api, body: NonNullable<ReturnType<typeof changeOf>>) =>
      api.patch('/budgets/{budget_id}', { params, body }),
    { changes: ['/budgets', '/audit-log'], says: text.form.saved },
  );
  const submit = async (draft: BudgetDraft) => {
    const body = changeOf(draft, budget);
    if (body !== null && (await change.run(body)) !== null) onClose();
  };
  return (
    <BudgetForm
      initial={draftOf(budget)}
      changed={budget}
      write={change}
      onSubmit={(draft) => void submit(draft)}
    />
  );
}
