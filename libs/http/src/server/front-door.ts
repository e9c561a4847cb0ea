import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type Socket } from 'node:net';
import { type FastifyInstance } from 'fastify';
import { useOriginForm } from './request-target';
import { leavesBodyUnread } from './unread-body';

/** Serves a request, or returns false to leave it to the framework. It must not throw. */
type DirectHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

const FRONT_DOOR = 'svcFrontDoor';

/**
 * Handles requests before the framework does. A service serves its hot path here, because the framework's router, hooks
 * and reply cost more than the rest of a small call.
 */
export class FrontDoor {
  private readonly handlers: DirectHandler[] = [];
  private readonly connections = new Set<Socket>();
  private isClosing = false;

  /** The `serverFactory` of Fastify, which makes one server per listen address. */
  readonly serverFor =
    (keepAliveTimeoutMs: number) =>
    (route: RequestListener): Server => {
      const server = createServer((incoming, outgoing) => {
        if (leavesBodyUnread(incoming) || this.isClosing) outgoing.setHeader('connection', 'close');
        useOriginForm(incoming);
        for (const handle of this.handlers) if (handle(incoming, outgoing)) return;
        route(incoming, outgoing);
      });
      server.on('connection', (socket: Socket) => {
        this.connections.add(socket);
        socket.once('close', () => this.connections.delete(socket));
      });
      server.keepAliveTimeout = keepAliveTimeoutMs;
      // No limit, because long answers stream for minutes.
      server.requestTimeout = 0;
      return server;
    };

  serve(handle: DirectHandler): void {
    this.handlers.push(handle);
  }

  closeConnections(): void {
    this.isClosing = true;
  }

  /** Closes connections on which nothing was ever sent. Node does not count them as idle. */
  closeUnusedConnections(): void {
    for (const socket of this.connections) if (socket.bytesRead === 0) socket.destroy();
  }
}

export function mountFrontDoor(server: FastifyInstance, door: FrontDoor): void {
  server.decorate(FRONT_DOOR, door);
}

/** Adds a handler that runs before the framework. Handlers run in the order in which they were added. */
export function serveDirectly(server: FastifyInstance, handle: DirectHandler): void {
  frontDoorOf(server).serve(handle);
}

/** Closes each connection with its next answer. */
export function closeConnectionsOf(server: FastifyInstance): void {
  frontDoorOf(server).closeConnections();
}

/** Closes the connections that carry no request: idle ones, and those that browsers and pools open in advance. */
export function closeFreeConnectionsOf(server: FastifyInstance): void {
  server.server.closeIdleConnections();
  frontDoorOf(server).closeUnusedConnections();
}

const frontDoorOf = (server: FastifyInstance): FrontDoor => server.getDecorator<FrontDoor>(FRONT_DOOR);
