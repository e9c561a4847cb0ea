import { join, resolve } from 'node:path';
import { z } from 'zod';
import { variables } from '@svc/runtime/config';
import { type S3Settings } from '../s3/s3-store';

/** Where objects are kept. */
export type StorageSettings =
  { readonly kind: 'folder'; readonly path: string } | ({ readonly kind: 's3' } & S3Settings);

/** Of the services that store objects, beside `SVC_DATA_DIR`. */
export const storageVariables = {
  SVC_STORAGE_URL: z
    .string()
    .regex(
      /^(file:.+|s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[a-z0-9_/-]*)?)$/,
      'must be file:<folder> or s3://<bucket>/<prefix>',
    )
    .optional(),
  SVC_STORAGE_ENDPOINT: variables.url(['http', 'https']).optional(),
  SVC_STORAGE_REGION: z.string().default('us-east-1'),
  SVC_STORAGE_ACCESS_KEY_ID: variables.secret(1).optional(),
  SVC_STORAGE_SECRET_ACCESS_KEY: variables.secret(1).optional(),
  SVC_STORAGE_PATH_STYLE: variables.flag.default(false),
};

type StorageConfig = z.output<z.ZodObject<typeof storageVariables>> & { readonly SVC_DATA_DIR: string };

/** Refuses half of a login, which would fail at the first export. */
export function checkStorageVariables(
  config: Partial<Pick<StorageConfig, 'SVC_STORAGE_ACCESS_KEY_ID' | 'SVC_STORAGE_SECRET_ACCESS_KEY'>>,
  context: z.RefinementCtx,
): void {
  const { SVC_STORAGE_ACCESS_KEY_ID: id, SVC_STORAGE_SECRET_ACCESS_KEY: secret } = config;
  if ((id === undefined) === (secret === undefined)) return;
  const missing = id === undefined ? 'SVC_STORAGE_ACCESS_KEY_ID' : 'SVC_STORAGE_SECRET_ACCESS_KEY';
  context.addIssue({ code: 'custom', path: [missing], message: 'is required: a login needs both of them' });
}

export function storageSettings(config: StorageConfig): StorageSettings {
  const url = config.SVC_STORAGE_URL;
  if (url === undefined) return { kind: 'folder', path: resolve(join(config.SVC_DATA_DIR, 'objects')) };
  if (url.startsWith('file:')) return { kind: 'folder', path: resolve(url.replace(/^file:(\/\/)?/, '')) };
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]+)\/?(.*?)\/*$/.exec(url) ?? [];
  const { SVC_STORAGE_ACCESS_KEY_ID: accessKeyId, SVC_STORAGE_SECRET_ACCESS_KEY: secretAccessKey } = config;
  const hasLogin = accessKeyId !== undefined && secretAccessKey !== undefined;
  return {
    kind: 's3',
    bucket,
    prefix,
    endpoint: config.SVC_STORAGE_ENDPOINT ?? null,
    region: config.SVC_STORAGE_REGION,
    credentials: hasLogin ? { accessKeyId, secretAccessKey } : null,
    pathStyle: config.SVC_STORAGE_PATH_STYLE,
  };
}
