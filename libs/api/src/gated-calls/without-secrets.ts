import { SECRET_PLACEHOLDER } from '@svc/approvals';
import { type JsonValue } from '@svc/kernel';
import { type z } from 'zod';

interface SchemaParts {
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly element?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
}

/** A body with a placeholder in place of each field that its schema declares as `writeOnly`. */
export function withoutSecrets(schema: z.core.$ZodType, value: JsonValue): JsonValue {
  if (value === null) return value;
  if ((schema as z.ZodType).meta()?.['writeOnly'] === true) return SECRET_PLACEHOLDER;
  const { shape, element, innerType, in: input, valueType, options } = schema._zod.def as SchemaParts;
  const inner = innerType ?? input;
  if (inner !== undefined) return withoutSecrets(inner, value);
  if (options !== undefined)
    return options.reduce<JsonValue>((left, option) => withoutSecrets(option, left), value);
  if (typeof value !== 'object') return value;
  if (element !== undefined && Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item) => withoutSecrets(element, item));
  }
  const fields = Object.entries(value as Readonly<Record<string, JsonValue>>).map(([name, field]) => {
    const declared = shape !== undefined && Object.hasOwn(shape, name) ? shape[name] : valueType;
    return [name, declared === undefined ? field : withoutSecrets(declared, field)] as const;
  });
  return Object.fromEntries(fields);
}
