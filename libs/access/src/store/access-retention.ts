import { type RetentionRule } from '@svc/database';

const EXPIRED: Pick<RetentionRule, 'keepMs' | 'batch'> = { keepMs: 0, batch: 500 };

/** How long sessions, secrets and failed guesses are kept. */
export const accessRetention: readonly RetentionRule[] = [
  { task: 'expired-logins', table: 'console_sessions', column: 'expires_at', ...EXPIRED },
  { task: 'expired-logins', table: 'password_resets', column: 'expires_at', ...EXPIRED },
  { task: 'expired-logins', table: 'access_tokens', column: 'expires_at', ...EXPIRED },
  // A rotated one too: until then its reuse is detected.
  { task: 'expired-logins', table: 'refresh_tokens', column: 'expires_at', ...EXPIRED },
  { task: 'expired-logins', table: 'authorization_codes', column: 'kept_until', ...EXPIRED },
  { task: 'expired-logins', table: 'failed_guesses', column: 'clear_at', ...EXPIRED },
];
