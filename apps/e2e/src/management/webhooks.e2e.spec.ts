import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { eventually } from '@svc/testing';
import { openAiClient } from '../harness/clients';
import { sharedSvc, type SharedSvc } from '../harness/shared-svc';

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

interface Endpoint {
  readonly id: string;
  readonly path: string;
  readonly secret: string;
}

interface Answered {
  readonly status: number;
  readonly body: {
    readonly id: string;
    readonly key: string;
    readonly endpoint: { readonly id: string };
    readonly signing_secret: string;
    readonly status: string;
  };
}

const ENDPOINTS = '/api/v1/webhook-endpoints';
const DELIVERIES = `${ENDPOINTS}/deliveries`;
const CANARY = 'canary-of-the-prompt';

describe('webhooks, over HTTP alone', () => {
  let svc: SharedSvc;
  let server: Server;
  const received: Received[] = [];
  /** Work of a receiver before it answers, by path. */
  const beforeAnswer = new Map<string, (delivery: Received) => Promise<void>>();

  beforeAll(async () => {
    server = createServer((incoming, response) => {
      void (async () => {
        const delivery = {
          path: incoming.url ?? '',
          headers: incoming.headers,
          body: await text(incoming),
        };
        received.push(delivery);
        await beforeAnswer.get(delivery.path)?.(delivery);
        response.writeHead(204).end();
      })().catch(() => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    svc = await sharedSvc();
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
  });

  const call = async (method: string, path: string, body?: object): Promise<Answered> => {
    const answer = await fetch(svc.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answered = answer.status === 204 ? {} : await json(answer.body!);
    return { status: answer.status, body: answered as Answered['body'] };
  };
  const newEndpoint = async (name: string, eventTypes: readonly string[]): Promise<Endpoint> => {
    const { port } = server.address() as AddressInfo;
    const path = `/${name}`;
    const url = `http://127.0.0.1:${String(port)}${path}`;
    const { status, body } = await call('POST', ENDPOINTS, { url, event_types: eventTypes });
    expect(status).toBe(201);
    return { id: body.endpoint.id, path, secret: body.signing_secret };
  };
  const receivedAt = ({ path }: Endpoint, count: number) =>
    eventually(() => {
      const deliveries = received.filter((delivery) => delivery.path === path);
      expect(deliveries).toHaveLength(count);
      return deliveries;
    });

  it('43: an event reaches its endpoint, signed, without prompt and secret', async () => {
    const endpoint = await newEndpoint('told', ['api_key.*']);
    const messages = [{ role: 'user' as const, content: CANARY }];
    await openAiClient(svc).chat.completions.create({ model: 'simulator/echo', messages });
    const { body: created } = await call('POST', '/api/v1/keys', {
      name: 'Told',
      scopes: ['inference:invoke'],
    });
    expect(created.key).toMatch(/^svc_sk_/);

    const [delivery] = await receivedAt(endpoint, 1);
    const [, t = '', v1] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(delivery?.headers['svc-signature'])) ?? [];
    const signed = createHmac('sha256', endpoint.secret).update(`${t}.${delivery?.body ?? ''}`);
    expect(v1).toBe(signed.digest('hex'));
    expect(delivery?.headers['svc-event-type']).toBe('api_key.created');
    const told = JSON.stringify(received) + svc.logs();
    for (const secret of [CANARY, created.key, endpoint.secret]) expect(told).not.toContain(secret);
  });

  it.each<[string, (endpoint: Endpoint, deliveryId: string) => Promise<Answered>, number]>([
    ['pauses its endpoint', ({ id }) => call('PATCH', `${ENDPOINTS}/${id}`, { enabled: false }), 1],
    ['rotates its secret', ({ id }) => call('POST', `${ENDPOINTS}/${id}/rotate-secret`), 1],
    // The first attempt is in flight, so the delivery is still queued: there is nothing to retry.
    ['retries the delivery', (_, deliveryId) => call('POST', `${DELIVERIES}/${deliveryId}/retry`), 1],
    ['sends itself a test', ({ id }) => call('POST', `${ENDPOINTS}/${id}/test`), 2],
    ['deletes its endpoint', ({ id }) => call('DELETE', `${ENDPOINTS}/${id}`), 1],
  ])('15: a receiver that %s before it answers waits for nobody', async (name, act, deliveries) => {
    const endpoint = await newEndpoint(name.replaceAll(' ', '-'), ['webhook.test']);
    const statuses: number[] = [];
    beforeAnswer.set(endpoint.path, async ({ headers }) => {
      if (statuses.length > 0) return;
      statuses.push(0);
      const { status } = await act(endpoint, String(headers['svc-delivery-id']));
      statuses[0] = status;
    });
    const { body: first } = await call('POST', `${ENDPOINTS}/${endpoint.id}/test`);
    await receivedAt(endpoint, deliveries);
    await eventually(async () => {
      // The deliveries of a deleted endpoint are not found.
      const ended = statuses[0] === 204 ? { status: 404 } : { body: { status: 'succeeded' } };
      expect(await call('GET', `${DELIVERIES}/${first.id}`)).toMatchObject(ended);
    });
    expect([200, 204]).toContain(statuses[0]);
  });
});
