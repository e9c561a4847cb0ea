import { type components } from '../../api/generated/management';

export type ApiKey = components['schemas']['ApiKey'];
export type Scope = components['schemas']['NewApiKey']['scopes'][number];

/** Whether calls with the key are answered: a key that has expired is no longer active. */
export type Standing = 'active' | 'expired' | 'revoked';

export function standingOf(key: Pick<ApiKey, 'state' | 'expires_at'>, now: Date): Standing {
  if (key.state === 'revoked') return 'revoked';
  return key.expires_at !== null && new Date(key.expires_at) <= now ? 'expired' : 'active';
}
