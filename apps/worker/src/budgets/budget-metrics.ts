import { Counter, type Registry } from '@svc/runtime/observability';

/** What operators see of the events of budgets. */
export class BudgetMetrics {
  private readonly suppressed: Counter;

  constructor(registry: Registry) {
    this.suppressed = new Counter({
      name: 'svc_budget_events_suppressed_total',
      help: 'Events that budgets with an amount for each did not record: more than 100 of a type in an hour.',
      registers: [registry],
    });
  }

  countSuppressed(count: number): void {
    this.suppressed.inc(count);
  }
}
