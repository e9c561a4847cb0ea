import { z } from 'zod';
import { presentTime, timestamp } from '@svc/api';
import { type IssuedPasswordReset } from '@svc/access/store';
import { email } from '../members/member-schema';

export const newPasswordReset = z.strictObject({ email: email() }).meta({ id: 'NewPasswordReset' });

export const passwordReset = z
  .object({
    reset_url: z.url().meta({
      description: 'Whoever has this link can set the password. It is shown only once, and works once.',
      example: 'https://svc.example/auth/password-reset/svc_pr_Zk3vQ8aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2y',
    }),
    expires_at: timestamp(),
  })
  .meta({ id: 'PasswordReset' });

export const presentPasswordReset = ({
  resetUrl,
  expiresAt,
}: IssuedPasswordReset): z.input<typeof passwordReset> => ({
  reset_url: resetUrl,
  expires_at: presentTime(expiresAt),
});
