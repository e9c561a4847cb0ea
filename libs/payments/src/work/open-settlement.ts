import { type Database } from '@svc/database';
import { Counter, type Registry } from '@svc/runtime/observability';
import { type PaymentProvider } from '../rules/provider';
import { PaymentSettlement } from './payment-settlement';

interface SettlementRuntime {
  readonly database: Database;
  readonly provider: PaymentProvider;
  /** Public, without a slash at its end. */
  readonly baseUrl: string;
  readonly reconcileSeconds: number;
  readonly metrics: Registry;
}

const KINDS = ['checkout', 'auto'] as const;
const OUTCOMES = ['succeeded', 'failed', 'expired', 'cancelled', 'review'] as const;

/** The settlement of payments, with its metric. */
export function openSettlement({ metrics, ...parts }: SettlementRuntime): PaymentSettlement {
  const payments = new Counter({
    name: 'svc_payments_total',
    help: 'Payments, by what became of them.',
    labelNames: ['kind', 'outcome'],
    registers: [metrics],
  });
  for (const kind of KINDS) for (const outcome of OUTCOMES) payments.inc({ kind, outcome }, 0);
  return new PaymentSettlement({
    ...parts,
    onOutcome: (kind, outcome) => {
      payments.inc({ kind, outcome });
    },
  });
}
