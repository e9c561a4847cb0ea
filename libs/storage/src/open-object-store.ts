import { FolderStore } from './folder/folder-store';
import { type ObjectStore } from './object-store';
import { type StorageSettings } from './config/storage-variables';

/** It connects with the first use. The S3 client is loaded only where it is needed, because loading it takes a start much time. */
export async function openObjectStore(settings: StorageSettings): Promise<ObjectStore> {
  if (settings.kind === 'folder') return new FolderStore(settings.path);
  const { S3Store } = await import('./s3/s3-store');
  return new S3Store(settings);
}
