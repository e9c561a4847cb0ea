export { BudgetPage } from '../../pages/budgets/budget-page';
export { BudgetsPage } from '../../pages/budgets/budgets-page';
export { ExportsPage } from '../../pages/exports/exports-page';
export { WalletPage } from '../../pages/wallet/wallet-page';
