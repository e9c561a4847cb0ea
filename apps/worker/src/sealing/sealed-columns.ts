import { approvedAnswerContext, approvedCallContext } from '@svc/approvals/store';
import { type SealedColumn, signingKeyContext } from '@svc/database';
import { integrationSecretContext, signingSecretContext } from '@svc/deliveries/store';
import { exportKeyContext } from '@svc/exports/store';
import { trainingFileKeyContext } from '@svc/fine-tuning/store';
import { answerContext, endUserPepperContext } from '@svc/ledger/store';
import { credentialContext } from '@svc/policy/store';

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
    table: 'end_user_peppers',
    column: 'pepper_ciphertext',
    primaryKey: ['organization_id'],
    id: ['organization_id'],
    contextOf: (organizationId = '') => endUserPepperContext(organizationId),
  },
  {
    table: 'idempotency_claims',
    column: 'response_ciphertext',
    primaryKey: ['organization_id', 'key'],
    id: ['organization_id', 'request_id'],
    contextOf: (organizationId = '', requestId = '') => answerContext(organizationId, requestId),
  },
];
