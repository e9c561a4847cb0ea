export {
  checkStorageVariables,
  storageSettings,
  storageVariables,
  type StorageSettings,
} from './config/storage-variables';
export { StorageError, type ByteRange, type ObjectStore, type StoredPart, type Upload } from './object-store';
export { openObjectStore } from './open-object-store';
export { newObjectKey, SealedObject } from './sealed/sealed-object';
