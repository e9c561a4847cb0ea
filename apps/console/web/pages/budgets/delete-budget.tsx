import { type ReactElement } from 'react';
import { useWrite } from '../../api/use-write';
import { ConfirmWrite } from '../../frame/confirm-write';
import { type Budget } from './budget';
import { budgetsRoute } from './route';
import { text } from './text';

interface DeleteBudgetProps {
  readonly budget: Budget;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function DeleteBudget({ budget, isOpen, onClose }: DeleteBudgetProps): ReactElement {
  const words = text.delete;
  const navigate = budgetsRoute.useNavigate();
  const remove = useWrite(
    (api) => api.delete('/budgets/{budget_id}', { params: { path: { budget_id: budget.id } } }),
    { changes: ['/budgets', '/audit-log'], removes: '/budgets/{budget_id}', says: words.done },
  );
  return (
    <ConfirmWrite
      approval="budget.delete"
      write={remove}
      isOpen={isOpen}
      onClose={onClose}
      words={words}
      onDone={() => void navigate({ to: budgetsRoute.to, search: {} })}
    />
  );
}
