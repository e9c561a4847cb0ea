import { type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { GatewayError } from '@svc/kernel';
import { tap, type Observable } from 'rxjs';
import { z } from 'zod';

/** The answer of a versioned route. */
interface Versioned {
  readonly version: number;
}

/** The tags of the versions that a write may replace. Null allows any version. */
export type IfMatch = readonly string[] | null;

const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const TAGS = new RegExp(String.raw`^(?:\*|${TAG}(?:[ \t]*,[ \t]*${TAG})*)$`);

export const versionTag = z.string().meta({ description: 'The version, in quotes.', example: '"3"' });

/**
 * The header `If-Match` of a write (RFC 9110, section 13.1.1), except that a weak tag counts as a strong one: a proxy
 * that compresses an answer weakens its tag, and the version is the same in any encoding.
 */
export const ifMatch = () =>
  z
    .string()
    .regex(TAGS, 'must be the ETag of a version, quotes included: "3"')
    .transform((tags) => (tags === '*' ? null : [...tags.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag)))
    .optional()
    .transform((tags): IfMatch => tags ?? null)
    .meta({
      description: 'The `ETag` of the version to replace. The call is refused if another one is current.',
      example: '"3"',
    });

/**
 * Checks that a write replaces a version that its author has seen.
 * @throws GatewayError `preconditionFailed`.
 */
export function requireVersion(seen: IfMatch, current: number): void {
  if (seen === null || seen.includes(String(current))) return;
  throw new GatewayError(
    'preconditionFailed',
    `The current version is ${String(current)}: read it, and change that one.`,
    { param: 'If-Match' },
  );
}

/** Puts the answer's version into `ETag`. */
export class TagVersion implements NestInterceptor<Versioned, Versioned> {
  intercept(context: ExecutionContext, next: CallHandler<Versioned>): Observable<Versioned> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(tap(({ version }) => void reply.header('etag', `"${String(version)}"`)));
  }
}
