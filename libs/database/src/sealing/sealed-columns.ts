import { credentialContext } from '../credentials/provider-credential-store';
import { approvedAnswerContext, approvedCallContext } from '../approvals/approval-request-record';
import { exportKeyContext } from '../exports/export-record';
import { answerContext } from '../idempotency/idempotency-store';
import { integrationSecretContext } from '../integrations/active-otlp-integrations';
import { signingKeyContext } from '../oauth/signing-key-store';
import { trainingFileKeyContext } from '../training-files/training-file-record';
import { signingSecretContext } from '../webhooks/endpoint-store';

/** A column whose values are sealed with the master key. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Text columns, by which the table is read in pages. */
  readonly primaryKey: readonly string[];
  /** Columns that identify a row in messages and for {@link contextOf}. They hold nothing that a customer wrote. */
  readonly id: readonly string[];
  readonly contextOf: (...id: string[]) => string;
}

/** Every stored value that the master key decrypts. A spec compares the list with the database. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'signing_keys',
    column: 'private_key_ciphertext',
    primaryKey: ['kid'],
    id: ['kid'],
    contextOf: (kid = '') => signingKeyContext(kid),
  },
  {
    table: 'provider_credentials',
    column: 'secret_ciphertext',
    primaryKey: ['id'],
    id: ['id'],
    contextOf: (id = '') => credentialContext(id),
  },
  ...['secret_ciphertext', 'previous_secret_ciphertext'].map((column) => ({
    table: 'webhook_endpoints',
    column,
    primaryKey: ['id'],
    id: ['id'],
    contextOf: (id = '') => signingSecretContext(id),
  })),
  {
    table: 'integrations',
    column: 'secret_ciphertext',
    primaryKey: ['id'],
    id: ['id'],
    contextOf: (id = '') => integrationSecretContext(id),
  },
  {
    table: 'exports',
    column: 'key_ciphertext',
    primaryKey: ['id'],
    id: ['id'],
    contextOf: (id = '') => exportKeyContext(id),
  },
  {
    table: 'training_files',
    column: 'key_ciphertext',
    primaryKey: ['id'],
    id: ['id'],
    contextOf: (id = '') => trainingFileKeyContext(id),
  },
  {
    table: 'approval_requests',
    column: 'call_ciphertext',
    primaryKey: ['id'],
    id: ['id'],
    contextOf: (id = '') => approvedCallContext(id),
  },
  {
    table: 'approval_requests',
    column: 'secret_ciphertext',
    primaryKey: ['id'],
    id: ['id'],
    contextOf: (id = '') => approvedAnswerContext(id),
  },
  {
    table: 'idempotency_claims',
    column: 'response_ciphertext',
    primaryKey: ['organization_id', 'key'],
    id: ['organization_id', 'request_id'],
    contextOf: (organizationId = '', requestId = '') => answerContext(organizationId, requestId),
  },
];
