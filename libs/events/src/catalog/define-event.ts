import { object, type EventFields, type JsonSchema, type NoFields, type ObjectOf } from './event-fields';

/** One row of the event catalogue. */
export interface EventDefinition<D> {
  /** When it happens. The text is shown by `GET /api/v1/webhook-events`. */
  readonly description: string;
  /**
   * JSON Schema of the event's `data` for receivers. It allows additional fields, because fields may be added without a
   * new `api_version`, and a receiver that validates must not break on them.
   */
  readonly schema: JsonSchema;
  /** The path and the kind of each problem of `data`, never a value. An undeclared field is one. */
  readonly problemsOf: (data: unknown) => readonly string[];
  readonly example: D;
}

/** An event with these fields, and with those of `optional` where there is something to say. */
export function defineEvent<F extends EventFields, Optional extends EventFields = NoFields>(
  description: string,
  fields: F,
  optional?: Optional,
): EventDefinition<ObjectOf<F, Optional>> {
  const { schema, example, problemsOf } = object(fields, optional);
  return { description, schema, example, problemsOf: (data) => problemsOf(data, 'data') };
}
