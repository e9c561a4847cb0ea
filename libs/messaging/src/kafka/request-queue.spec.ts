import { createRequire } from 'node:module';
import { eventually } from '@svc/testing';
import { checkOnlyWaitingRequests } from './request-queue';

/** The part that this spec uses of a class that kafkajs does not export. */
interface Queue {
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  push(pushed: {
    readonly entry: { readonly correlationId: number };
    readonly expectResponse: boolean;
    sendRequest(): void;
  }): void;
  fulfillRequest(answer: {
    readonly correlationId: number;
    readonly size: number;
    readonly payload: null;
  }): void;
  destroy(): void;
}
const RequestQueue = createRequire(__filename)('kafkajs/src/network/requestQueue') as new (
  options: object,
) => Queue;

const logger = { debug: () => undefined, warn: () => undefined };
let queue: Queue;
beforeEach(() => {
  checkOnlyWaitingRequests();
  queue = new RequestQueue({
    maxInFlightRequests: 1,
    requestTimeout: 60_000,
    clientId: 'spec',
    broker: '',
    logger,
  });
});
afterEach(() => {
  queue.destroy();
});

/** Resolves when it is sent. */
const push = (correlationId: number) =>
  new Promise<void>((sendRequest) => {
    const entry = { correlationId, resolve: () => undefined, reject: () => undefined };
    queue.push({ entry, expectResponse: true, sendRequest });
  });
const answer = (correlationId: number): void => {
  queue.fulfillRequest({ correlationId, size: 0, payload: null });
};
const hasTimer = (): boolean => queue.throttleCheckTimeoutId !== null;

it('a connection on which nothing waits sets no timer', async () => {
  await push(1);
  answer(1);
  expect(hasTimer()).toBe(false);
});

it('what waits for the answer before it is sent after that answer', async () => {
  await push(1);
  const second = push(2);
  answer(1);
  await second;
  answer(2);
  // The timer that was set while it waited is the last one.
  await eventually(() => {
    expect(hasTimer()).toBe(false);
  });
});

it('what waits because the broker asks for patience is sent when its time is over', async () => {
  queue.throttledUntil = Date.now() + 50;
  await push(1);
  expect(Date.now()).toBeGreaterThanOrEqual(queue.throttledUntil);
});
