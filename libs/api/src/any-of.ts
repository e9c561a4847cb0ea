import { z } from 'zod';

const VALUES_MAX = 50;

/**
 * A filter of one value, or of several separated by commas, as in `status=failed,cancelled`. A row passes with any of
 * them.
 */
export const anyOf = <T extends z.ZodType<unknown, string>>(value: T) =>
  z
    .string()
    .transform((list, { addIssue }): readonly z.output<T>[] => {
      const texts = list.split(',');
      if (texts.length > VALUES_MAX) {
        addIssue(`must have at most ${String(VALUES_MAX)} values`);
        return z.NEVER;
      }
      const values: z.output<T>[] = [];
      for (const text of texts) {
        const { success, data, error } = value.safeParse(text);
        if (!success) {
          addIssue(error.issues[0]?.message ?? 'is not valid');
          return z.NEVER;
        }
        values.push(data);
      }
      return values;
    })
    .meta({
      description: 'One value, or several with commas between them.',
      example: value.meta()?.['example'],
    });
