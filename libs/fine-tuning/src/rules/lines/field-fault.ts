/** The fault of a field, by its path (`messages[2].role`); null for the line as a whole. */
export interface FieldFault {
  readonly param: string | null;
  /** Continues the sentence that `param` begins. */
  readonly message: string;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
