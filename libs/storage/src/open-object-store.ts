import { FolderStore } from './folder/folder-store';
import { type ObjectStore } from './object-store';
import { type StorageSettings } from './config/storage-variables';
import { S3Store } from './s3/s3-store';

/** It connects with the first use. */
export const openObjectStore = async (settings: StorageSettings): Promise<ObjectStore> =>
  settings.kind === 'folder' ? new FolderStore(settings.path) : S3Store.open(settings);
