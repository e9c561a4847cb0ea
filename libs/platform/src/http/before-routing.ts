import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type FastifyInstance } from 'fastify';

/** Whether it has answered: what it has not goes the way of every other call. Never rejects. */
export type EarlyAnswer = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean | Promise<boolean>;

/**
 * Lets a service answer before the framework makes a call of what came in: what is refused at a glance, and may come in
 * floods, then costs little more than its reading. It may take its time: nothing is read of a body meanwhile.
 */
export function beforeRouting({ server }: FastifyInstance, answers: EarlyAnswer): void {
  const listeners = server.listeners('request') as ((
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) => void)[];
  server.removeAllListeners('request');
  const route = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    for (const listener of listeners) listener(incoming, outgoing);
  };
  server.on('request', (incoming, outgoing) => {
    const answered = answers(incoming, outgoing);
    if (answered === false) return route(incoming, outgoing);
    if (answered === true) return;
    // Whoever left meanwhile is told nothing, and the framework would not hear of it any more.
    void answered.then((isAnswered) => isAnswered || outgoing.closed || route(incoming, outgoing));
  });
}
