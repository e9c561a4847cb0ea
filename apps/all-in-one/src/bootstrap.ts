import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import {
  API_KEY_ENTROPY_BYTES,
  apiKeyHash,
  formatApiKeySecret,
  keyPermissions,
  visiblePrefix,
} from '@svc/access';
import { bootstrap } from '@svc/access/store';
import { nanos } from '@svc/kernel';
import { type Database } from '@svc/database';
import { type ReadyReport } from './banner';
import { type BootstrapConfig } from './config';

/**
 * Creates the first organization with its owner, a project, a key and credit. Later starts return what the first one
 * made, without the secrets: only their hashes are stored.
 */
export async function bootstrapInstallation(
  database: Database,
  config: BootstrapConfig,
): Promise<Omit<ReadyReport, 'base_url' | 'platform_token'>> {
  const password = config.SVC_BOOTSTRAP_PASSWORD ?? randomBytes(15).toString('base64url');
  const secret = config.SVC_BOOTSTRAP_API_KEY ?? formatApiKeySecret(randomBytes(API_KEY_ENTROPY_BYTES));
  const installed = await bootstrap(database, {
    organizationName: 'Default organization',
    ownerEmail: config.SVC_BOOTSTRAP_EMAIL,
    ownerPasswordHash: await hash(password),
    projectName: 'Default project',
    apiKey: {
      name: 'Bootstrap key',
      prefix: visiblePrefix(secret),
      sha256: apiKeyHash(secret),
      scopes: [...keyPermissions],
    },
    credit: nanos(config.SVC_BOOTSTRAP_CREDIT_NANOS),
  });
  const isFirst = installed.created;
  return {
    api_key: isFirst ? secret : null,
    organization_id: installed.organizationId,
    project_id: installed.projectId,
    owner_email: installed.ownerEmail,
    owner_password: isFirst ? password : null,
  };
}
