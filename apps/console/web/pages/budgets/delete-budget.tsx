import { type ReactElement } from 'react';
import { useWrite } from '../../api/use-api';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog';
import { type Budget } from './budget';
import { budgetsRoute } from './route';
import { text } from './text';

export interface DeleteBudgetProps {
  readonly budget: Budget;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function DeleteBudget({ budget, isOpen, onClose }: DeleteBudgetProps): ReactElement {
  const words = text.delete;
  const navigate = budgetsRoute.useNavigate();
  const remove = useWrite(
    (api) => api.delete('/budgets/{budget_id}', { params: { path: { budget_id: budget.id } } }),
    { changes: ['/budgets', '/audit-log'], says: words.done },
  );
  const confirm = async () => {
    if ((await remove.run(undefined)) === null) return;
    onClose();
    await navigate({ to: budgetsRoute.to, search: {} });
  };
  return (
    <ConfirmDialog
      approval="budget.delete"
      isOpen={isOpen}
      onClose={onClose}
      title={words.title}
      action={words.action}
      isBusy={remove.isBusy}
      error={remove.error}
      onConfirm={() => void confirm()}
    >
      <p>{words.body}</p>
    </ConfirmDialog>
  );
}
