/** A row, with nested fields: values that `JSON.stringify` writes. */
export type ExportRow = Readonly<Record<string, unknown>>;
