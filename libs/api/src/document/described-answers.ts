import { z } from 'zod';
import { type ZodOpenApiResponseObject } from 'zod-openapi';
import { answerHeaders } from './answer-headers';

/** An answer in JSON, for routes that no resource declares. */
export const jsonAnswer = (description: string, schema: z.ZodType): ZodOpenApiResponseObject => ({
  description,
  headers: z.object(answerHeaders),
  content: { 'application/json': { schema } },
});

/** An answer whose body is text of the given type. */
export const textAnswer = (
  description: string,
  type: string,
  example?: string,
): ZodOpenApiResponseObject => ({
  description,
  headers: z.object(answerHeaders),
  content: { [type]: { schema: z.string(), ...(example === undefined ? {} : { example }) } },
});

/** An answer without a body. */
export const emptyAnswer = (description: string): ZodOpenApiResponseObject => ({
  description,
  headers: z.object(answerHeaders),
});
