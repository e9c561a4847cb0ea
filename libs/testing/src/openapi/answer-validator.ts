import { type Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import { type OpenApiDocument, type OpenApiOperation } from './openapi-document';

export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Validates real answers against the OpenAPI document. */
export class AnswerValidator {
  private readonly validators = new Map<string, ValidateFunction>();

  private constructor(private readonly ajv: Ajv2020) {}

  static async of(document: OpenApiDocument): Promise<AnswerValidator> {
    const { Ajv2020 } = await import('ajv/dist/2020.js');
    const { default: addFormats } = await import('ajv-formats');
    // Not strict, because the document has keywords (`example`) that JSON Schema does not define.
    const ajv = new Ajv2020({ strict: false });
    addFormats(ajv);
    ajv.addSchema(document.raw, 'document');
    return new AnswerValidator(ajv);
  }

  /** The first difference between an answer and the document. Null when there is none. */
  problemOf(operation: OpenApiOperation, answer: ReceivedAnswer): string | null {
    const promised = operation.answers[String(answer.status)];
    if (promised === undefined) return `the status ${String(answer.status)} is not documented`;
    for (const [header, { required }] of Object.entries(promised.headers))
      if (required === true && answer.headers.get(header) === null) return `the header ${header} is missing`;
    const { content } = promised;
    if (content === undefined) return answer.text === '' ? null : 'there should be no body';
    const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
    const media = content[type];
    if (media === undefined) return `the type ${type} is not documented`;
    if (type !== 'application/json') return null;
    return this.bodyProblem(operation, answer, Object.values(media.examples ?? {}));
  }

  private bodyProblem(
    operation: OpenApiOperation,
    { status, text }: ReceivedAnswer,
    examples: readonly { readonly value?: unknown }[],
  ): string | null {
    const body = JSON.parse(text) as unknown;
    const validate = this.validatorOf(operation, status);
    if (!validate(body)) return `${this.ajv.errorsText(validate.errors)} in ${text}`;
    if (status < 400) return null;
    const code = codeOf(body);
    return examples.some(({ value }) => codeOf(value) === code)
      ? null
      : `the code ${String(code)} is not documented`;
  }

  private validatorOf(
    { operationId, path, method, answers }: OpenApiOperation,
    status: number,
  ): ValidateFunction {
    const key = `${operationId} ${String(status)}`;
    const known = this.validators.get(key);
    if (known !== undefined) return known;
    const schema = answers[String(status)]?.content?.['application/json']?.schema;
    if (schema === undefined) throw new Error(`${method} ${path} has no schema for ${String(status)}`);
    const validate = this.ajv.compile(inDocument(schema) as object);
    this.validators.set(key, validate);
    return validate;
  }
}

/** The error code. A provider's status is part of it, and the document has only one example of those. */
const codeOf = (body: unknown): string | undefined =>
  (body as { error?: { code?: string } } | undefined)?.error?.code?.replace(
    /^provider_http_\d+$/,
    'provider_http_400',
  );

/** The schema with its references pointing to the document, because it is compiled outside of it. */
function inDocument(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inDocument);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? `document${value}` : inDocument(value),
    ]),
  );
}
