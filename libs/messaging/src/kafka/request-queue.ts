import { createRequire } from 'node:module';

/** The queue of a connection in kafkajs 2.2.4: it exports neither this class nor its type. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

const { prototype } = createRequire(__filename)('kafkajs/src/network/requestQueue') as {
  readonly prototype: RequestQueue;
};
const schedule = Reflect.get(prototype, 'scheduleCheckPendingRequests') as (this: RequestQueue) => void;

/**
 * Has kafkajs look for waiting requests only while there are some. By itself it looks each millisecond as long as a
 * connection is open, and Node.js warns of its timers in the past (https://github.com/tulios/kafkajs/issues/1704, 1751).
 */
export function checkOnlyWaitingRequests(): void {
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this);
  };
}
