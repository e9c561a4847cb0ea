import { type IncomingMessage } from 'node:http';
import { type FastifyInstance } from 'fastify';
import { type GatewayError } from '@svc/kernel';
import { knownPathsOf, pathOf, serveDirectly, type RequestOrigin } from '@svc/http';
import { type Operation } from '@svc/protocol';
import { systemIds } from '@svc/runtime';
import { ClientReply } from '../../call/client-reply';
import { type CallHeaders } from '../../call/inference-call';
import { RequestBody, type BodyRoom } from '../../call/request-body';
import { type Authenticator } from '../../pipeline/authenticate';
import { type InFlight } from './in-flight';

/** A call whose body is unread. */
export interface ArrivedCall {
  readonly headers: CallHeaders;
  /** Tells the client's address. */
  readonly origin: RequestOrigin;
  readonly body: RequestBody;
  readonly reply: ClientReply;
}

/** Handles the calls of one path. */
export interface EntryRoute {
  /** Selects the protocol in which errors are written. */
  readonly operation: Operation;
  /** Answers the call, also when it fails. Never rejects. */
  serve(call: ArrivedCall): Promise<void>;
  /** Called when a call was refused before `serve`. */
  refused(error: GatewayError): void;
}

export interface EntryOptions {
  /** By path without query. All take POST only. */
  readonly routes: ReadonlyMap<string, EntryRoute>;
  readonly authenticator: Pick<Authenticator, 'earlyRefusal'>;
  readonly bodyRoom: BodyRoom;
  readonly inFlight: InFlight;
}

/**
 * Handles all calls with a body on plain Node.js: the framework would cost more than most steps of a call. A call with an
 * unknown key is refused before any other work, so that a flood of such calls is cheap and fills no log.
 */
export function openEntry(server: FastifyInstance, options: EntryOptions): void {
  const { routes } = options;
  for (const path of routes.keys()) knownPathsOf(server).add(path, ['POST']);
  serveDirectly(server, (incoming, outgoing) => {
    const route = incoming.method === 'POST' ? routes.get(pathOf(incoming)) : undefined;
    if (route === undefined) return false;
    void enter(route, incoming, new ClientReply(outgoing, systemIds('request'), route.operation), options);
    return true;
  });
}

/** Never rejects. */
async function enter(
  route: EntryRoute,
  incoming: IncomingMessage,
  reply: ClientReply,
  { authenticator, bodyRoom, inFlight }: EntryOptions,
): Promise<void> {
  const { headers } = incoming;
  const early = authenticator.earlyRefusal(headers);
  const refusal = early instanceof Promise ? await early : early;
  if (refusal !== null) {
    route.refused(refusal);
    reply.sendError(refusal);
    return;
  }
  const body = new RequestBody(incoming, bodyRoom, reply.disconnected);
  inFlight.begin(reply);
  try {
    await route.serve({ headers, origin: incoming, body, reply });
  } finally {
    body.release();
    inFlight.end(reply);
  }
}
