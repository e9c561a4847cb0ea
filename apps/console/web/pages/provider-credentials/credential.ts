import { type components } from '../../api/generated/management';

export type Credential = components['schemas']['ProviderCredential'];

export const states = ['active', 'disabled', 'revoked', 'compromised'] as const;

/** Revoked and compromised are final. */
export const isFinal = ({ state }: Credential): boolean => state === 'revoked' || state === 'compromised';
