import { AnswerValidator, namesIn, OpenApiDocument, type Json, type OpenApiOperation } from '@svc/testing';

export interface Overrides {
  readonly ids?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A form or JSON; default: the document's example. */
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
}

/** Calls the operations of the document, and checks every answer against it. */
export class DocumentedCalls {
  readonly called = new Set<string>();

  private constructor(
    private readonly baseUrl: string,
    readonly document: OpenApiDocument,
    private readonly validator: AnswerValidator,
  ) {}

  static async of(baseUrl: string): Promise<DocumentedCalls> {
    const document = await OpenApiDocument.readFrom(baseUrl);
    return new DocumentedCalls(baseUrl, document, await AnswerValidator.of(document));
  }

  operation(operationId: string): OpenApiOperation {
    const found = this.document.operations.find((operation) => operation.operationId === operationId);
    if (found === undefined) throw new Error(`The document has no operation ${operationId}`);
    return found;
  }

  /** @throws Error when the document does not describe the answer. */
  async call(operationId: string, overrides: Overrides = {}): Promise<Answer> {
    const operation = this.operation(operationId);
    const { method } = operation;
    const path = pathOf(operation, overrides);
    const body = overrides.body ?? this.exampleOf(operation);
    const isForm = body instanceof URLSearchParams || body instanceof FormData;
    const answer = await fetch(this.baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...overrides.headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const { status, headers } = answer;
    const problem = this.validator.problemOf(operation, { status, headers, text });
    if (problem !== null) throw new Error(`${method} ${path}: ${problem}. It answered ${text}`);
    if (status < 400) this.called.add(operationId);
    const isJson = /^application\/json(;|$)/.test(headers.get('content-type') ?? '');
    return { status, headers, text, body: isJson ? (JSON.parse(text) as unknown) : undefined };
  }

  /** The document's example, less what a body need not have. */
  private exampleOf({ requestBody }: OpenApiOperation): unknown {
    const media = requestBody?.content['application/json'];
    if (media?.schema === undefined) return undefined;
    const { required = [], example } = this.document.resolved<{ required?: string[]; example?: unknown }>(
      media.schema,
    );
    if (example !== undefined || required.length === 0) return example ?? media.example;
    const fields = Object.entries(media.example as object).filter(([name]) => required.includes(name));
    return Object.fromEntries(fields);
  }
}

function pathOf({ path }: OpenApiOperation, { ids = {}, query = {} }: Overrides): string {
  const filled = namesIn(path).reduce(
    (text, name) => text.replace(`{${name}}`, encodeURIComponent(ids[name] ?? '')),
    path,
  );
  const given = new URLSearchParams(query).toString();
  return given === '' ? filled : `${filled}?${given}`;
}
