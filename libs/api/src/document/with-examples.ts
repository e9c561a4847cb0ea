import { exampleOf } from './example';
import { type JsonSchema, type NamedSchemas } from './json-schema';
import { type OpenApiDocument } from './rendered-document';

interface MediaType {
  schema?: JsonSchema;
  example?: unknown;
  examples?: unknown;
}

/** Gives every body without an example one that is built from its fields' examples. */
export function withExamples(document: OpenApiDocument): OpenApiDocument {
  const named = (document.components?.schemas ?? {}) as NamedSchemas;
  for (const body of bodiesIn(document.paths ?? {})) {
    if (body.schema === undefined || body.example !== undefined || body.examples !== undefined) continue;
    body.example = exampleOf(body.schema, named);
  }
  return document;
}

/** Every media type under a `content`, at any depth. */
function bodiesIn(node: unknown): MediaType[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'content' ? Object.values(value as Record<string, MediaType>) : bodiesIn(value),
  );
}
