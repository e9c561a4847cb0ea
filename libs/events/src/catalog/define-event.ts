import { z } from 'zod';
import { type EventField } from './event-fields';

/** One row of the event catalogue. */
export interface EventDefinition<D> {
  /** When it happens. The text is shown by `GET /api/v1/webhook-events`. */
  readonly description: string;
  /** The strict schema of the event's `data`: an undeclared field is refused. */
  readonly schema: z.ZodType<D>;
  readonly example: D;
}

type Fields = Readonly<Record<string, EventField<unknown>>>;
type DataOf<F extends Fields> = { readonly [K in keyof F]: F[K]['example'] };

export function defineEvent<F extends Fields>(description: string, fields: F): EventDefinition<DataOf<F>> {
  const shape = Object.fromEntries(Object.entries(fields).map(([key, { schema }]) => [key, schema]));
  const example = Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value.example]));
  return {
    description,
    schema: z.strictObject(shape) as unknown as z.ZodType<DataOf<F>>,
    example: example as DataOf<F>,
  };
}
