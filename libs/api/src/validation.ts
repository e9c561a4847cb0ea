import { GatewayError } from '@svc/kernel';
import { z } from 'zod';
import { isUnlisted } from './unlisted-fields';

type Issue = z.core.$ZodIssue;

/**
 * The value as its schema parses it.
 * @throws GatewayError `invalidRequest` whose `param` names the first field at fault by its path (`redirect_uris[1]`);
 * `unsupportedParameter` for what another API would take.
 */
export function validated<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success && value === undefined)
    throw new GatewayError('invalidRequest', 'This route needs a body.');
  if (result.success) return withoutNul(result.data);
  const issue = deepest(result.error.issues[0]);
  const param = issue === undefined ? '' : fieldAt(issue);
  const name = isUnlisted(schema, issue) ? 'unsupportedParameter' : 'invalidRequest';
  throw new GatewayError(name, messageOf(issue, param), param === '' ? {} : { param });
}

/**
 * Numbers in a query are decimal digits: other forms that JavaScript reads as numbers (`1e1`, `0x10`, ` 5`) are
 * refused.
 * @throws GatewayError `invalidRequest` naming the field.
 */
export function requireDigits(query: z.ZodObject, given: Readonly<Record<string, unknown>>): void {
  for (const [param, schema] of Object.entries(query.shape)) {
    const value = given[param];
    if (typeof value !== 'string' || /^\d+$/.test(value) || !isNumber(schema)) continue;
    throw new GatewayError('invalidRequest', `${param}: must be a number in decimal digits.`, { param });
  }
}

function isNumber(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return isNumber(schema.unwrap());
  return schema instanceof z.ZodNumber;
}

/** PostgreSQL cannot store U+0000 in text, and no field needs it. */
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

/** Where no branch of a union fits, the first one's message says more than "Invalid input". */
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
