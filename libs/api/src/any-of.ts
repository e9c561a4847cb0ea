import { z } from 'zod';

const VALUES_MAX = 50;

/**
 * A filter that takes one value, or several with commas between them, as in `status=failed,cancelled`: what has any of
 * them passes.
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
