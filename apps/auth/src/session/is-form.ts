import { type FastifyRequest } from 'fastify';

/** True where a page's form sent it; else a program did. */
export const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
