import { id, presenter, timestamp } from '@svc/api';
import { type PolicyVersionRecord } from '@svc/policy/store';
import { z } from 'zod';

/** The fields of a version of a policy, at any level, beside its document. */
export const versionFields = {
  id: id('policy'),
  organization_id: id('organization'),
  version: z.int().min(1).meta({ description: 'Counts up by one.', example: 3 }),
  created_by: id('user')
    .nullable()
    .meta({ description: 'The user who wrote the version; null if a key did.' }),
  created_at: timestamp(),
};

const version = z.object(versionFields);

export const presentVersion = presenter<typeof version, Omit<PolicyVersionRecord, 'document'>>(version, {});

/** As it is read: an owner that has none has the default, as version 0. */
export const currentFields = {
  ...versionFields,
  id: versionFields.id.nullable().meta({ description: 'Null for the default.' }),
  version: z.int().min(0).meta({ description: 'Counts up by one from 0, the default.', example: 3 }),
  created_at: versionFields.created_at.nullable().meta({ description: 'Null for the default.' }),
};

export const ignored = <Schema extends z.ZodType>(schema: Schema) =>
  schema.optional().meta({ description: 'Ignored. It may be sent back as it was read.', readOnly: true });

/** So that a policy can be read, changed and sent back whole. */
export const ignoredFields = {
  id: ignored(currentFields.id),
  organization_id: ignored(currentFields.organization_id),
  version: ignored(currentFields.version),
  created_by: ignored(currentFields.created_by),
  created_at: ignored(currentFields.created_at),
};

type Ignored = keyof typeof ignoredFields | 'project_id' | 'api_key_id';
const IGNORED: ReadonlySet<string> = new Set([...Object.keys(ignoredFields), 'project_id', 'api_key_id']);

/** The document that was written, without what is ignored. */
export const documentIn = <Body extends object>(body: Body) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !IGNORED.has(name))) as Omit<Body, Ignored>;
