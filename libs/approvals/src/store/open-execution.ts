import { type Transaction } from '@svc/database';
import { type Execution } from '../rules/gated-call';
import { type AuditedChange } from '../rules/gating-policies';

/** The inside of an {@link Execution}: the transaction in which an approved call makes its change. */
export interface OpenExecution {
  readonly approvalRequestId: string;
  readonly tx: Transaction;
  /** Changes of the call so far. */
  readonly changes: AuditedChange[];
  /** Run after the commit, in order. */
  readonly effects: (() => Promise<unknown>)[];
}

export const asExecution = (open: OpenExecution): Execution => open as unknown as Execution;
export const openExecutionOf = (execution: Execution): OpenExecution => execution as unknown as OpenExecution;
