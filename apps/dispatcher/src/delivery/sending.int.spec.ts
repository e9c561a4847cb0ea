import { verifySignature } from '@svc/events';
import { signingSecretContext } from '@svc/deliveries/store';
import { eventually } from '@svc/testing';
import { DispatcherWorld, secretOf } from '../testing/dispatcher-world';
import { status } from '../testing/receiver';
import { sealer, SHORT_DELAYS } from '../testing/start-dispatcher';

let world: DispatcherWorld;
beforeEach(async () => {
  world = await DispatcherWorld.open();
});
afterEach(() => world.close());

const nowSeconds = () => Date.now() / 1000;
const signatures = (header: unknown) => String(header).split(',v1=').length - 1;

describe('a delivery', () => {
  it('41: is sent with its headers, and its body byte for byte as it was recorded', async () => {
    const id = await world.addEndpoint();
    const event = {
      ...world.newEvent(),
      payload: '{"a":"é😀\u2028</script>\\u0000","n":12345678901234567890}',
    };
    await world.deliver(event);
    world.start();
    await world.settled();
    const [received, ...more] = world.receiver.at(`/${id}`);
    const [delivery] = await world.deliveries();
    expect(more).toEqual([]);
    expect(received?.body).toBe(event.payload);
    const { 'svc-signature': signature, host: _, ...headers } = received!.headers;
    expect(headers).toEqual({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(event.payload)),
      'user-agent': 'Svc-Webhooks/1.0',
      'accept-encoding': 'identity',
      connection: 'close',
      'svc-event-id': event.id,
      'svc-event-type': 'policy.updated',
      'svc-delivery-id': delivery!.id,
      'svc-delivery-attempt': '1',
      'idempotency-key': delivery!.id,
    });
    expect(signature).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
    expect(verifySignature(String(signature), secretOf(id), received!.body, nowSeconds())).toBe(true);
  });

  it('25, 40, 41: is sent six times, never before its delay, each signed anew, the same otherwise; never a seventh', async () => {
    const id = await world.addEndpoint();
    world.receiver.answer(`/${id}`, status(503));
    await world.deliver();
    const retryDelaysSeconds = [0.2, 0.5, 0.8, 1.1, 1.4];
    world.start({ retryDelaysSeconds });
    const [delivery] = await world.settled();
    expect(delivery).toMatchObject({ status: 'dead', attempt_count: 6 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const received = world.receiver.at(`/${id}`);
    expect(received.map(({ headers }) => headers['svc-delivery-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ]);
    expect(new Set(received.map(({ headers }) => headers['idempotency-key']))).toEqual(
      new Set([delivery!.id]),
    );
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    retryDelaysSeconds.forEach((delaySeconds, at) => {
      expect(received[at + 1]!.atMs - received[at]!.atMs).toBeGreaterThanOrEqual(delaySeconds * 1000);
    });
    for (const [at, { headers, body, atMs }] of received.entries()) {
      const signature = String(headers['svc-signature']);
      const signedAt = Number(/^t=(\d+)/.exec(signature)?.[1]);
      expect(signedAt).toBeGreaterThanOrEqual(Math.floor((received[at - 1]?.atMs ?? 0) / 1000));
      expect(signedAt).toBeLessThanOrEqual(atMs / 1000);
      expect(verifySignature(signature, secretOf(id), body, atMs / 1000)).toBe(true);
    }
    expect(await world.attempts()).toHaveLength(6);
  });

  it('9: is retried on our schedule, whatever the receiver asks for', async () => {
    const answers: [number, Record<string, string | string[]>][] = [
      [410, {}],
      [401, {}],
      [404, {}],
      [429, { 'retry-after': '0' }],
      [429, { 'retry-after': '1' }],
      [503, { 'retry-after': '99999' }],
      [429, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }],
      [429, { 'retry-after': '-5' }],
      [429, { 'retry-after': ['1', '2'] }],
    ];
    const ids = await Promise.all(answers.map(() => world.addEndpoint()));
    ids.forEach((id, at) => {
      const [code, headers] = answers[at]!;
      world.receiver.answer(`/${id}`, (response) => void response.writeHead(code, headers).end('no'));
    });
    await world.deliver();
    world.start({ retryDelaysSeconds: [60, 300, 1_800, 7_200, 43_200] });
    await eventually(async () => {
      expect((await world.deliveries()).map((delivery) => delivery.status)).toEqual(ids.map(() => 'failed'));
    });
    const attempts = new Map((await world.attempts()).map((attempt) => [attempt.delivery_id, attempt]));
    for (const { id, next_attempt_at } of await world.deliveries()) {
      const endedAtMs = attempts.get(id)!.started_at.getTime() + attempts.get(id)!.duration_ms!;
      const delayMs = next_attempt_at!.getTime() - endedAtMs;
      expect(delayMs).toBeGreaterThanOrEqual(60_000);
      // The second of the schedule, which a receiver that asks for a later time may not bring about either.
      expect(delayMs).toBeLessThan(300_000);
    }
    for (const id of ids) expect(await world.endpoint(id)).toMatchObject({ state: 'active', enabled: true });
  });

  it('25: is scheduled by the database, however wrong this machine’s clock is', async () => {
    const id = await world.addEndpoint();
    world.receiver.answer(`/${id}`, status(500));
    await world.deliver();
    const ahead = { now: () => Date.now() + 600_000 };
    const { metrics } = world.start({ clock: ahead, retryDelaysSeconds: [60, 60, 60, 60, 60] });
    const due = await eventually(async () => {
      const [delivery] = await world.deliveries();
      expect(delivery?.status).toBe('failed');
      return delivery!.next_attempt_at!.getTime();
    });
    // Half of what the clock is wrong by.
    expect(Math.abs(due - Date.now() - 60_000)).toBeLessThan(300_000);
    expect(String(await metrics.metrics())).toMatch(/svc_webhook_clock_skew_seconds\{.*\} (59\d|60\d)/);
  });

  it('20: that is retried goes to the URL at that time', async () => {
    const id = await world.addEndpoint();
    world.receiver.answer(`/${id}`, (response) => {
      void world.sql('UPDATE webhook_endpoints SET url = $1', [`${world.receiver.origin}/moved`]).then(() => {
        response.writeHead(500).end('at the old one');
      });
    });
    await world.deliver();
    world.start();
    await world.settled();
    expect(world.receiver.received.map(({ path }) => path)).toEqual([`/${id}`, '/moved']);
    expect(await world.attempts()).toMatchObject([
      { attempt: 1, status_code: 500, response_excerpt: 'at the old one' },
      { attempt: 2, status_code: 204 },
    ]);
  });

  it('15: whose receiver changes the endpoint before it answers holds no lock', async () => {
    const id = await world.addEndpoint();
    world.receiver.answer(`/${id}`, (response) => {
      void world
        .sql(`UPDATE webhook_endpoints SET state = 'paused', enabled = false, updated_at = now()`)
        .then(() => response.writeHead(200).end());
    });
    await world.deliver();
    world.start();
    expect(await world.settled()).toMatchObject([{ status: 'succeeded' }]);
    expect(await world.endpoint(id)).toMatchObject({ state: 'paused', enabled: false });
  });

  it('26: that is retried by hand while it is being sent is sent anew, with its whole schedule', async () => {
    const id = await world.addEndpoint();
    let isRetried = false;
    world.receiver.answer(`/${id}`, (response) => {
      if (isRetried) return void response.writeHead(204).end();
      isRetried = true;
      void world
        .sql(
          `UPDATE webhook_deliveries SET status = 'queued', round = round + 1, attempt_count = 0, next_attempt_at = now()`,
        )
        .then(() => response.writeHead(500).end());
    });
    const event = await world.deliver();
    world.start();
    expect(await world.settled()).toMatchObject([{ status: 'succeeded', round: 2, attempt_count: 1 }]);
    const received = world.receiver.at(`/${id}`);
    expect(received.map(({ headers }) => headers['svc-delivery-attempt'])).toEqual(['1', '1']);
    expect(new Set(received.map(({ headers }) => headers['svc-event-id']))).toEqual(new Set([event.id]));
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(await world.attempts()).toMatchObject([
      { round: 1, attempt: 1, status_code: 500 },
      { round: 2, attempt: 1, status_code: 204 },
    ]);
  });

  it('28: of an endpoint that is deleted while it is sent is not retried', async () => {
    const id = await world.addEndpoint();
    world.receiver.answer(`/${id}`, (response) => {
      void world
        .sql('UPDATE webhook_endpoints SET deleted_at = now()')
        .then(() => response.writeHead(500).end());
    });
    await world.deliver();
    world.start();
    expect(await world.settled()).toMatchObject([{ status: 'dead', attempt_count: 1 }]);
    expect(world.receiver.received).toHaveLength(1);
  });
});

describe('31: a secret', () => {
  const rotate = (id: string, secret: string, previousFor: string) =>
    world.sql(
      `UPDATE webhook_endpoints SET previous_secret_ciphertext = secret_ciphertext,
         previous_secret_expires_at = clock_timestamp() + $3::interval, secret_ciphertext = $2 WHERE id = $1`,
      [id, sealer.seal(Buffer.from(secret), signingSecretContext(id)), previousFor],
    );

  it('that is rotated between attempts signs beside the new one until it expires', async () => {
    const id = await world.addEndpoint();
    const [old, fresh, freshest] = [secretOf(id), `whsec_${'1'.repeat(64)}`, `whsec_${'2'.repeat(64)}`];
    let attempt = 0;
    world.receiver.answer(`/${id}`, (response) => {
      attempt++;
      const change =
        attempt === 1
          ? rotate(id, fresh, '1 day')
          : attempt === 2
            ? rotate(id, freshest, '1 day')
            : world.sql('UPDATE webhook_endpoints SET previous_secret_expires_at = clock_timestamp()');
      void change.then(() => response.writeHead(attempt < 4 ? 500 : 200).end());
    });
    await world.deliver();
    world.start();
    await world.settled();
    const received = world.receiver.at(`/${id}`);
    const verifies = (at: number, secret: string) =>
      verifySignature(
        String(received[at]?.headers['svc-signature']),
        secret,
        received[at]!.body,
        nowSeconds(),
      );
    expect(received.map(({ headers }) => signatures(headers['svc-signature']))).toEqual([1, 2, 2, 1]);
    expect([old, fresh, freshest].map((secret) => verifies(0, secret))).toEqual([true, false, false]);
    expect([old, fresh, freshest].map((secret) => verifies(1, secret))).toEqual([true, true, false]);
    expect([old, fresh, freshest].map((secret) => verifies(2, secret))).toEqual([false, true, true]);
    expect([old, fresh, freshest].map((secret) => verifies(3, secret))).toEqual([false, false, true]);
  });

  it('that cannot be opened sends nothing, does not count against the endpoint, and is logged without its value', async () => {
    const id = await world.addEndpoint();
    await world.sql(`UPDATE webhook_endpoints SET secret_ciphertext = 'garbage'`);
    await world.deliver();
    const { lines } = world.start({ retryDelaysSeconds: [60, 60, 60, 60, 60] });
    await eventually(async () => {
      expect(await world.attempts()).toMatchObject([{ error: 'not_sent', status_code: null }]);
    });
    expect(world.receiver.received).toEqual([]);
    expect(await world.endpoint(id)).toMatchObject({ consecutive_failures: 0 });
    expect(lines.find(({ level }) => level === 'error')).toMatchObject({
      msg: 'webhook not sent',
      endpoint_id: id,
    });
  });
});

it('42: a delivery whose headers cannot be sent never reaches the wire, and is dead after its attempts', async () => {
  const id = await world.addEndpoint();
  // An event type outside the catalogue, as if something else wrote the row.
  const type = 'policy.updated\r\nX-Injected: 1' as string as 'policy.updated';
  await world.deliver({ ...world.newEvent(), type });
  world.start({ retryDelaysSeconds: [0, 0, 0, 0, 0] });
  expect(await world.settled()).toMatchObject([{ status: 'dead', attempt_count: 6 }]);
  const attempts = await world.attempts();
  expect(attempts.map(({ error }) => error)).toEqual(Array<string>(6).fill('not_sent'));
  expect(world.receiver.received).toEqual([]);
  expect(await world.endpoint(id)).toMatchObject({ state: 'active', consecutive_failures: 0 });
});

describe('43: what is logged', () => {
  it('is one line an attempt, with the outcome and without URL, payload, signature or secret', async () => {
    const id = await world.addEndpoint({ url: `${world.receiver.origin}/hook?token=canary-of-the-url` });
    world.receiver.answer('*', (response, { headers }) => {
      response.writeHead(headers['svc-delivery-attempt'] === '1' ? 500 : 204).end(JSON.stringify(headers));
    });
    const event = { ...world.newEvent(), payload: '{"data":"canary-of-the-payload"}' };
    await world.deliver(event);
    const { lines } = world.start();
    const [delivery] = await world.settled();
    await eventually(() => {
      expect(lines.filter(({ msg }) => msg === 'webhook attempt')).toMatchObject([
        {
          level: 'info',
          delivery_id: delivery!.id,
          endpoint_id: id,
          event_id: event.id,
          event_type: 'policy.updated',
          organization_id: world.organizationId,
          round: 1,
          attempt: 1,
          outcome: 'failed',
          status_code: 500,
          error: null,
          status: 'failed',
        },
        { attempt: 2, outcome: 'acknowledged', status_code: 204, status: 'succeeded' },
      ]);
    });
    const signed = world.receiver.received.map(
      ({ headers }) => /v1=([0-9a-f]{64})/.exec(String(headers['svc-signature']))?.[1],
    );
    expect(signed[0]).toBeDefined();
    const told = JSON.stringify([lines, await world.attempts()]);
    for (const secret of ['canary', 'whsec_', secretOf(id), ...signed]) expect(told).not.toContain(secret);
  });

  it('counts attempts by outcome, and deliveries by final status', async () => {
    const [good, bad] = [await world.addEndpoint(), await world.addEndpoint()];
    world.receiver.answer(`/${bad}`, status(404));
    await world.deliver(world.newEvent(), good, bad);
    const { metrics } = world.start({ retryDelaysSeconds: SHORT_DELAYS });
    await world.settled();
    await eventually(async () => {
      const text = await metrics.metrics();
      expect(text).toMatch(/svc_webhook_attempts_total\{outcome="acknowledged",reason="http_2xx",.*\} 1/);
      expect(text).toMatch(/svc_webhook_attempts_total\{outcome="failed",reason="http_4xx",.*\} 6/);
      expect(text).toMatch(/svc_webhook_deliveries_ended_total\{status="dead",.*\} 1/);
      expect(text).toMatch(/svc_webhook_queue_age_seconds\{.*\} 0/);
      expect(text).toMatch(/svc_webhook_endpoints_behind\{over_seconds="1",.*\} 0/);
      expect(text).not.toContain(good);
    });
  });
});
