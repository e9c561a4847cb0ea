import { GatewayError } from '@svc/kernel';
import { z } from 'zod';
import { isUnlisted } from './unlisted-fields';

type Issue = z.core.$ZodIssue;

/** The longest list that any field takes: the names of a policy. Fields have bounds of their own below it. */
const ENTRIES_MAX = 1_000;
/** Deeper than any body of this API. */
const LEVELS_MAX = 64;

/**
 * The value as its schema parses it.
 * @throws GatewayError `invalidRequest` whose `param` names the first field at fault by its path (`redirect_uris[1]`);
 * `unsupportedParameter` for what another API would take.
 */
export function validated<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  requireBoundedLists(value);
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

/** A schema reads each entry before it counts them: half a million wrong ones would take the process a second. */
function requireBoundedLists(value: unknown): void {
  const path = pathOf(value, (member) => Array.isArray(member) && member.length > ENTRIES_MAX);
  if (path !== null) throw invalidAt(path, `must have at most ${String(ENTRIES_MAX)} entries`);
}

/** PostgreSQL cannot store U+0000 in text, and no field needs it. */
function withoutNul<T>(data: T): T {
  const path = pathOf(data, (member) => typeof member === 'string' && member.includes('\0'));
  if (path === null) return data;
  throw invalidAt(path, 'must not contain the character U+0000');
}

/**
 * The path of the first member that is such a one; null for none.
 * @throws GatewayError `invalidRequest` for a value of more levels than the stack could take.
 */
function pathOf(value: unknown, isSuch: (member: unknown) => boolean, level = 1): PropertyKey[] | null {
  if (isSuch(value)) return [];
  if (typeof value !== 'object' || value === null) return null;
  if (level > LEVELS_MAX)
    throw new GatewayError('invalidRequest', `The body has more than ${String(LEVELS_MAX)} levels.`);
  for (const [name, member] of Object.entries(value)) {
    const path = pathOf(member, isSuch, level + 1);
    if (path !== null) return [Array.isArray(value) ? Number(name) : name, ...path];
  }
  return null;
}

function invalidAt(path: readonly PropertyKey[], problem: string): GatewayError {
  const param = pathText(path);
  return new GatewayError('invalidRequest', `${param}: ${problem}.`, param === '' ? {} : { param });
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
