import { type IncomingMessage } from 'node:http';
import { clientAddress, type TrustedProxies } from '@svc/kernel';
import { type FastifyInstance, type FastifyRequest } from 'fastify';

/** The parts of an HTTP request that tell the client's address. */
export interface RequestOrigin {
  readonly headers: IncomingMessage['headers'];
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** Tells a client's address: see `clientAddress` of the kernel. */
export type ReadClientAddress = (origin: RequestOrigin) => string;

const READ_CLIENT_ADDRESS = 'svcReadClientAddress';

export function mountClientAddress(server: FastifyInstance, proxies: TrustedProxies): void {
  const read: ReadClientAddress = ({ headers, socket }) =>
    clientAddress(socket.remoteAddress ?? '', valueOf(headers['x-forwarded-for']), proxies);
  server.decorate(READ_CLIENT_ADDRESS, read);
}

/** How a server of `createHttpServer` tells its clients' addresses. */
export const clientAddressReader = (server: FastifyInstance): ReadClientAddress =>
  server.getDecorator<ReadClientAddress>(READ_CLIENT_ADDRESS);

/** The address of the client of a request. */
export const clientAddressOf = (request: FastifyRequest): string =>
  clientAddressReader(request.server)(request.raw);

/** Node joins several headers of this name, though its types do not say so. */
const valueOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(',') : header;
