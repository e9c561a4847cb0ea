import { GatewayError } from '@svc/kernel';
import { type z } from 'zod';

type Issue = z.core.$ZodIssue;

/**
 * The value as its schema reads it.
 * @throws GatewayError `invalidRequest` whose `param` names the first field at fault by its path (`redirect_uris[1]`).
 */
export function validated<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success && value === undefined)
    throw new GatewayError('invalidRequest', 'This route needs a body, and there was none.');
  if (result.success) return withoutNul(result.data);
  const issue = deepest(result.error.issues[0]);
  const param = issue === undefined ? '' : fieldAt(issue);
  throw new GatewayError('invalidRequest', messageOf(issue, param), param === '' ? {} : { param });
}

/** PostgreSQL has no text with U+0000 in it, and no field of ours means anything by one. */
function withoutNul<T>(data: T): T {
  const path = pathOfNul(data);
  if (path === null) return data;
  const param = pathText(path);
  const message = `${param}: must not contain the character U+0000.`;
  throw new GatewayError('invalidRequest', message, param === '' ? {} : { param });
}

function pathOfNul(value: unknown): PropertyKey[] | null {
  if (typeof value === 'string') return value.includes('\0') ? [] : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    const path = pathOfNul(member);
    if (path !== null) return [Array.isArray(value) ? Number(name) : name, ...path];
  }
  return null;
}

/** Of a union's branches none fits: the message of the first says more than "Invalid input". */
function deepest(issue: Issue | undefined): Issue | undefined {
  if (issue?.code !== 'invalid_union') return issue;
  const inner = issue.errors[0]?.[0];
  return inner === undefined ? issue : { ...inner, path: [...issue.path, ...inner.path] };
}

function fieldAt(issue: Issue): string {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return pathText([...issue.path, ...unknown]);
}

/** `redirect_uris[1]` */
const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${String(step)}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');

function messageOf(issue: Issue | undefined, param: string): string {
  if (issue === undefined) return 'The request is not valid.';
  if (issue.code === 'unrecognized_keys') return `Unknown field: ${param}.`;
  return param === '' ? `${issue.message}.` : `${param}: ${issue.message}.`;
}
