import { type IncomingMessage } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GatewayError } from '@svc/kernel';
import { mayFinishSending, stopWatchingBody } from '@svc/http';
import { type FastifyInstance } from 'fastify';

const FILES_PATH = '/v1/files';
/** How long the rest of a refused upload is taken, so that its client reads the answer. */
const REST_MS = 30_000;

/** Leaves the bodies of uploads unread, so that their route takes them piece by piece. Other routes take no forms. */
@Injectable()
export class MultipartBodies implements OnModuleInit {
  constructor(private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.addContentTypeParser('multipart/form-data', (request, _payload, done) => {
      if (request.routeOptions.url !== FILES_PATH) {
        done(new GatewayError('invalidRequest', 'This route takes no forms.'));
        return;
      }
      stopWatchingBody(request.raw);
      done(null);
    });
    server.addHook('onResponse', (request, _reply, done) => {
      if (mayFinishSending(request.raw)) takeRest(request.raw);
      done();
    });
  }
}

function takeRest(incoming: IncomingMessage): void {
  if (incoming.complete) return;
  incoming.resume();
  const patience = setTimeout(() => incoming.socket.destroy(), REST_MS);
  patience.unref();
  incoming.once('close', () => {
    clearTimeout(patience);
  });
}
