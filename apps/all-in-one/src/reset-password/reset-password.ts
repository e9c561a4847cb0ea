import { z } from 'zod';
import { OperatorPasswordReset } from '@svc/access/store';
import { exitWithError, systemClock } from '@svc/runtime';
import { readResetPasswordConfig } from './config';
import { openInstalledDatabase } from './installed-database';

/**
 * `npm run reset-password -- owner@example.com`: prints a link with which the user sets a new password, whether or not
 * the service runs (docs/operate.md#let-somebody-in-again).
 */
async function resetPassword(address: string | undefined): Promise<void> {
  const email = z.email().safeParse(address?.toLowerCase()).data;
  if (email === undefined) throw new Error('Name the user: npm run reset-password -- owner@example.com');
  const config = readResetPasswordConfig();
  const baseUrl = config.SVC_BASE_URL?.replace(/\/+$/, '') ?? `http://localhost:${String(config.SVC_PORT)}`;
  const { database, close } = await openInstalledDatabase(config);
  try {
    const asked = { email, baseUrl, nowMs: systemClock.now(), requestId: null };
    const issued = await new OperatorPasswordReset(database).issue(asked);
    if (issued === null) throw new Error(`No user has the address ${email}.`);
    process.stdout.write(
      `On this page ${email} sets a new password, once, until ${issued.expiresAt.toUTCString()}:\n\n${issued.resetUrl}\n`,
    );
  } finally {
    await close();
  }
}

resetPassword(process.argv[2]).catch(exitWithError('reset-password'));
