import { type z } from 'zod';
import { object, type EventFields, type NoFields, type ObjectOf } from './event-fields';

/** One row of the event catalogue. */
export interface EventDefinition<D> {
  /** When it happens. The text is shown by `GET /api/v1/webhook-events`. */
  readonly description: string;
  /** The strict schema of the event's `data`: an undeclared field is refused. */
  readonly schema: z.ZodType<D>;
  readonly example: D;
}

/** An event with these fields, and with those of `optional` where there is something to say. */
export function defineEvent<F extends EventFields, Optional extends EventFields = NoFields>(
  description: string,
  fields: F,
  optional?: Optional,
): EventDefinition<ObjectOf<F, Optional>> {
  const { schema, example } = object(fields, optional);
  return { description, schema, example };
}
