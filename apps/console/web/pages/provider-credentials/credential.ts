import { type components } from '../../api/generated/management';

export type Credential = components['schemas']['ProviderCredential'];

/** Revoked and compromised are final. */
export const isFinal = ({ state }: Credential): boolean => state === 'revoked' || state === 'compromised';
