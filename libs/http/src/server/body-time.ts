import { type IncomingMessage } from 'node:http';
import { type FastifyInstance } from 'fastify';
import { GatewayError } from '@svc/kernel';
import { hasBody } from './unread-body';

/** How long a body may take to arrive. */
export interface BodyTime {
  /** Without one more byte. It is looked at once in this time, so twice of it may pass. */
  readonly idleMs: number;
  readonly wholeMs: number;
}

/** Of a body that a process keeps in memory, which is short. */
export const SHORT_BODY_TIME: BodyTime = { idleMs: 30_000, wholeMs: 120_000 };

/**
 * Calls `late`, once, where the body takes longer. It reads nothing of the body.
 * @returns what ends the watch.
 */
export function watchBody(
  incoming: IncomingMessage,
  { idleMs, wholeMs }: BodyTime,
  late: (tooSlow: GatewayError) => void,
): () => void {
  const { socket } = incoming;
  const endsAtMs = performance.now() + wholeMs;
  let readBytes = socket.bytesRead;
  let timer = setTimeout(look, Math.min(idleMs, wholeMs));
  function look(): void {
    if (incoming.complete || incoming.destroyed || socket.destroyed) return;
    const leftMs = endsAtMs - performance.now();
    if (socket.bytesRead === readBytes || leftMs <= 0) {
      late(new GatewayError('invalidRequest', 'The body took too long to arrive.'));
      return;
    }
    readBytes = socket.bytesRead;
    timer = setTimeout(look, Math.min(idleMs, leftMs));
  }
  return () => {
    clearTimeout(timer);
  };
}

const watches = new WeakMap<IncomingMessage, () => void>();

/** Answers a body that takes longer, from before the framework reads it. */
export function mountBodyTime(server: FastifyInstance, time: BodyTime): void {
  server.addHook('preParsing', (request, reply, _payload, done) => {
    if (hasBody(request.raw)) {
      const stop = watchBody(request.raw, time, (tooSlow) => void reply.send(tooSlow));
      watches.set(request.raw, stop);
      // A request whose body was not read to its end is not closed.
      reply.raw.once('close', stop);
    }
    done();
  });
}

/** For a route that reads its body itself, and has another time for it. */
export const stopWatchingBody = (incoming: IncomingMessage): void => watches.get(incoming)?.();
