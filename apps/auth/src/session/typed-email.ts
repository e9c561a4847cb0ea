import { z } from 'zod';

export const EMAIL_MAX = 254;

/** An address as people type it: in upper or lower case, with spaces around it. */
export const typedEmail = z.string().trim().toLowerCase().max(EMAIL_MAX);
