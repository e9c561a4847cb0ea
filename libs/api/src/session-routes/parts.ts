import { z } from 'zod';
import { textAnswer } from '../document/described-answers';

/** The heading of these routes in the reference. */
export const TAG = 'Sessions';

export const htmlPage = (description: string) => textAnswer(description, 'text/html', '<!doctype html>');

export const csrfHeader = z.object({
  'X-CSRF-Token': z.string().optional().meta({ description: 'The session’s `csrf_token`.' }),
});

/** The CSRF field that a page's own form sends. */
export const csrfField = z
  .string()
  .meta({ description: 'The token in the page’s form.', example: 'of-the-page' });

export const newPasswordField = z.string().meta({
  description: '12 to 512 characters.',
  example: 'three quiet hedgehogs',
  writeOnly: true,
});

export const formBody = (schema: z.ZodType) => ({
  required: true,
  content: { 'application/x-www-form-urlencoded': { schema } },
});
