import { isRecord, type JsonRecord } from '../json/byte-text';
import { type Operation } from './operation';
import { changedParts, isPathOfTool, somePart } from '../translation/prompt-parts';

/** Something of the provider's account that a call names by an id. */
export interface AccountReference {
  /** The caller's path of the id. */
  readonly param: string;
  /** The type of the provider's tool that it is for. Null for content. */
  readonly tool: string | null;
}

const NONE: readonly AccountReference[] = [];

/**
 * Files, containers and stores that a call names by an id. Organizations share the platform's accounts, so only a call on the
 * organization's own credential may name them (docs/reference/inference-and-compatibility.md#ids-of-a-providers-account).
 * @param mayHaveParts see `hasUnusualParts`
 */
export function accountReferences(
  operation: Operation,
  body: JsonRecord,
  mayHaveParts = true,
): readonly AccountReference[] {
  if (operation === 'embeddings') return NONE;
  const container = operation === 'messages' ? containerId(body['container'], 'container') : null;
  if (container === null && !(mayHaveParts && somePart(body, (part) => idIn(part, '') !== null))) return NONE;
  const found: AccountReference[] = container === null ? [] : [{ param: container, tool: null }];
  changedParts(body, (part, path) => {
    const param = idIn(part, path);
    if (param !== null) found.push({ param, tool: isPathOfTool(path) ? String(part['type']) : null });
    return part;
  });
  return found;
}

const isId = (value: unknown): boolean => (value ?? null) !== null;

const IDS = ['file_id', 'vector_store_ids', 'skill_id'] as const;
const HOLDERS = ['source', 'file', 'output'] as const;

/** The path of the first id in a part or a tool. The members are those that hold one in the protocols of OpenAI and Anthropic. */
function idIn(part: JsonRecord, path: string): string | null {
  for (const name of IDS) if (isId(part[name])) return `${path}.${name}`;
  for (const name of HOLDERS) {
    const inner = part[name];
    if (isRecord(inner) && isId(inner['file_id'])) return `${path}.${name}.file_id`;
  }
  const { environment } = part;
  if (isRecord(environment) && isId(environment['container_id'])) return `${path}.environment.container_id`;
  return containerId(part['container'], `${path}.container`);
}

/** A container by its id, or one that files of the account are copied to. A new one has neither. */
function containerId(container: unknown, path: string): string | null {
  if (typeof container === 'string') return path;
  if (!isRecord(container)) return null;
  const name = ['id', 'file_ids'].find((member) => isId(container[member]));
  return name === undefined ? null : `${path}.${name}`;
}
