import { loadConfig } from '@svc/runtime/config';
import { z } from 'zod';
import { checkStorageVariables, storageSettings, storageVariables } from '../config/storage-variables';

/** The settings that services read of these variables. */
export function settingsOf(env: Readonly<Record<string, string>>) {
  const schema = z
    .object({ SVC_DATA_DIR: z.string().default('.svc'), ...storageVariables })
    .superRefine(checkStorageVariables);
  return storageSettings(loadConfig(schema, env));
}
