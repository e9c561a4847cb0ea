import {
  componentOf,
  type Documented,
  type DocumentedAnswer,
  type DocumentedOperation,
  type DocumentedParameter,
} from './documented';

/** One route in the reference: an operation with the paths that serve it. */
export interface Entry {
  readonly id: string;
  readonly tag: string;
  readonly method: string;
  /** The shorter one first. */
  readonly paths: readonly string[];
  readonly operation: DocumentedOperation;
  readonly parameters: readonly DocumentedParameter[];
  readonly answers: readonly { readonly status: string; readonly answer: DocumentedAnswer }[];
}

const SCOPED = /InOrganization$/;

/** The routes of a document in its order. A route that two path forms serve is one entry. */
export function entriesOf(document: Documented): Entry[] {
  const entries = new Map<string, Entry>();
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(item)) {
      const id = operation.operationId.replace(SCOPED, '');
      const known = entries.get(id);
      entries.set(
        id,
        known === undefined
          ? entryOf(document, { id, method, path, operation })
          : { ...known, paths: [...known.paths, path] },
      );
    }
  }
  return [...entries.values()];
}

function entryOf(
  { components = {} }: Documented,
  {
    id,
    method,
    path,
    operation,
  }: { id: string; method: string; path: string; operation: DocumentedOperation },
): Entry {
  const { tags, parameters = [], responses } = operation;
  return {
    id,
    tag: tags[0] ?? '',
    method,
    paths: [path],
    operation,
    parameters: parameters.map((parameter) => componentOf(parameter, components.parameters)),
    answers: Object.entries(responses).map(([status, answer]) => ({
      status,
      answer: componentOf(answer, components.responses),
    })),
  };
}
