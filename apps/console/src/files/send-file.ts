import { type FastifyReply, type FastifyRequest } from 'fastify';
import { acceptedEncoding } from './accepted-encoding';
import { type BuiltFile } from './built-files';

/** Answers with the file in the best form that the browser takes, or with 304 where the browser has it. */
export function sendFile({ headers }: FastifyRequest, reply: FastifyReply, file: BuiltFile): void {
  const encoding = acceptedEncoding(
    [headers['accept-encoding'] ?? ''].flat().join(),
    new Set(file.compressed.keys()),
  );
  // Each form has an entity tag of its own (RFC 9110 section 8.8.3.3).
  const etag = encoding === null ? `"${file.hash}"` : `"${file.hash}-${encoding}"`;
  void reply.headers({ etag, 'cache-control': file.cacheControl, vary: 'Accept-Encoding' });
  if (hasCurrent(headers['if-none-match'], etag)) {
    void reply.code(304).send();
    return;
  }
  if (encoding !== null) void reply.header('content-encoding', encoding);
  void reply.type(file.type).send(encoding === null ? file.identity : file.compressed.get(encoding));
}

/** Whether `If-None-Match` names the tag. A proxy may have made it weak (RFC 9110 section 13.1.2). */
function hasCurrent(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}
