import { id } from '@svc/api';
import {
  DEFAULT_KEY_POLICY_DOCUMENT,
  DEFAULT_PROJECT_POLICY_DOCUMENT,
  keyPolicyDocument,
  projectPolicyDocument,
  readStoredDocument,
} from '@svc/policy';
import { type LowerPolicyRecord } from '@svc/policy/store';
import { z } from 'zod';
import {
  currentFields,
  ignored,
  ignoredFields,
  presentVersion,
  versionFields,
} from '../policy/policy-version-fields';

const ofProject = { project_id: id('project') };
const ofKey = { api_key_id: id('apiKey') };

export const projectPolicyVersion = z
  .object({ ...versionFields, ...ofProject, ...projectPolicyDocument.shape })
  .meta({ id: 'ProjectPolicyVersion' });
export const projectPolicy = z
  .object({ ...currentFields, ...ofProject, ...projectPolicyDocument.shape })
  .meta({ id: 'ProjectPolicy' });
export const newProjectPolicy = projectPolicyDocument
  .extend({ ...ignoredFields, project_id: ignored(ofProject.project_id) })
  .meta({ id: 'NewProjectPolicy', example: { allowed_models: ['acme/small'], max_output_tokens: 4_096 } });

export const keyPolicyVersion = z
  .object({ ...versionFields, ...ofKey, ...keyPolicyDocument.shape })
  .meta({ id: 'KeyPolicyVersion' });
export const keyPolicy = z
  .object({ ...currentFields, ...ofKey, ...keyPolicyDocument.shape })
  .meta({ id: 'KeyPolicy' });
export const newKeyPolicy = keyPolicyDocument
  .extend({ ...ignoredFields, api_key_id: ignored(ofKey.api_key_id) })
  .meta({
    id: 'NewKeyPolicy',
    example: { allowed_operations: ['chat_completions'], max_cost_nanos: 50_000_000 },
  });

const unwritten = (organizationId: string) => ({
  id: null,
  organization_id: organizationId,
  version: 0,
  created_by: null,
  created_at: null,
});

export const presentProjectPolicyVersion = (
  record: LowerPolicyRecord,
): z.input<typeof projectPolicyVersion> => ({
  ...presentVersion(record),
  project_id: record.ownerId,
  ...readStoredDocument('project', record.document),
});

export const presentKeyPolicyVersion = (record: LowerPolicyRecord): z.input<typeof keyPolicyVersion> => ({
  ...presentVersion(record),
  api_key_id: record.ownerId,
  ...readStoredDocument('key', record.document),
});

/** @param current null for a project whose policy was never written. */
export const presentProjectPolicy = (
  organizationId: string,
  projectId: string,
  current: LowerPolicyRecord | null,
): z.input<typeof projectPolicy> =>
  current === null
    ? { ...unwritten(organizationId), project_id: projectId, ...DEFAULT_PROJECT_POLICY_DOCUMENT }
    : presentProjectPolicyVersion(current);

/** @param current null for a key whose policy was never written. */
export const presentKeyPolicy = (
  organizationId: string,
  keyId: string,
  current: LowerPolicyRecord | null,
): z.input<typeof keyPolicy> =>
  current === null
    ? { ...unwritten(organizationId), api_key_id: keyId, ...DEFAULT_KEY_POLICY_DOCUMENT }
    : presentKeyPolicyVersion(current);
