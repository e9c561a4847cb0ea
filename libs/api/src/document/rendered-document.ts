import { type createDocument } from 'zod-openapi';

/** An OpenAPI 3.1 document in its final JSON form. */
export type OpenApiDocument = ReturnType<typeof createDocument>;
