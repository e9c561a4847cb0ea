import { type z } from 'zod';
import { object, type EventFields, type ValuesOf } from './event-fields';

/** One row of the event catalogue. */
export interface EventDefinition<D> {
  /** When it happens. The text is shown by `GET /api/v1/webhook-events`. */
  readonly description: string;
  /** The strict schema of the event's `data`: an undeclared field is refused. */
  readonly schema: z.ZodType<D>;
  readonly example: D;
}

export function defineEvent<F extends EventFields>(
  description: string,
  fields: F,
): EventDefinition<ValuesOf<F>> {
  const { schema, example } = object(fields);
  return { description, schema, example };
}
