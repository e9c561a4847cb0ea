export {
  API_KEY_ENTROPY_BYTES,
  apiKeyHash,
  apiKeySecretIn,
  formatApiKeySecret,
  isApiKeySecret,
  visiblePrefix,
  type CredentialHeaders,
} from './api-key/api-key-secret';
export { permissions, rolePermissions, roles, type Permission, type Role } from './permissions/permissions';
