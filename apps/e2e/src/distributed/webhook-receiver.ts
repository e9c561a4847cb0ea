import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { sleep } from '../harness/sleep';

interface Arrival {
  readonly endpoint: string;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly eventType: string;
  /** The key that the event is about, if any. */
  readonly apiKeyId: string | undefined;
  readonly atMs: number;
}

/** Receives webhooks, one endpoint per path, and records them. */
export class WebhookReceiver {
  readonly arrivals: Arrival[] = [];
  /** The highest number in flight at a time, by endpoint. */
  readonly peaks = new Map<string, number>();
  private readonly inFlight = new Map<string, number>();
  private readonly server = createServer((incoming, answer) => {
    const endpoint = incoming.url ?? '';
    const inFlight = (this.inFlight.get(endpoint) ?? 0) + 1;
    this.inFlight.set(endpoint, inFlight);
    this.peaks.set(endpoint, Math.max(this.peaks.get(endpoint) ?? 0, inFlight));
    // Also when its dispatcher dies before it gets the answer.
    answer.once('close', () => this.inFlight.set(endpoint, (this.inFlight.get(endpoint) ?? 0) - 1));
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => {
      const event = JSON.parse(Buffer.concat(chunks).toString()) as EventBody;
      this.arrivals.push({
        endpoint,
        deliveryId: String(incoming.headers['idempotency-key']),
        eventId: event.id,
        eventType: event.type,
        apiKeyId: event.data.api_key_id,
        atMs: performance.now(),
      });
      void sleep(this.answerAfterMs).then(() => answer.end());
    });
  });

  private constructor(private readonly answerAfterMs: number) {}

  static async start(answerAfterMs = 0): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(answerAfterMs);
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** When the event of a key first arrived, by endpoint. */
  firstOf(apiKeyId: string): Map<string, number> {
    const first = new Map<string, number>();
    for (const arrival of this.arrivals) {
      if (arrival.apiKeyId !== apiKeyId || first.has(arrival.endpoint)) continue;
      first.set(arrival.endpoint, arrival.atMs);
    }
    return first;
  }

  /** All arrivals of each delivery, by its `Idempotency-Key`. */
  byDelivery(): Map<string, Arrival[]> {
    return Map.groupBy(this.arrivals, ({ deliveryId }) => deliveryId);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly api_key_id?: string };
}
