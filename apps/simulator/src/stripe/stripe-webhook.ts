import Stripe from 'stripe';
import { newObjectId } from './stripe-objects';

/** Faults of events on their way. */
export interface Disturbance {
  /** Copies of each. */
  readonly duplicate?: number;
  /** The events of one change arrive in the opposite order. */
  readonly reorder?: boolean;
  readonly delay_ms?: number;
  readonly lose?: boolean;
}

const TRIES = 5;
const RETRY_MS = 1_000;
const ANSWER_WITHIN_MS = 10_000;

/** Where events go, and what they are signed with. */
export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

type Event = readonly [type: string, object: object];

/** Sends events, signed by Stripe's own library. */
export class StripeWebhook {
  disturbance: Disturbance = {};
  private readonly stripe = new Stripe('sk_test_simulator');
  private readonly pending = new Set<NodeJS.Timeout>();

  /** @param target null: nobody listens. */
  constructor(private readonly target: WebhookTarget | null) {}

  send(events: readonly Event[]): void {
    const { duplicate = 1, reorder = false, delay_ms = 0, lose = false } = this.disturbance;
    const { target } = this;
    if (lose || target === null) return;
    const bodies = events.map(([type, object]) => this.bodyOf(type, object));
    const ordered = reorder ? bodies.reverse() : bodies;
    for (const [at, body] of ordered.entries()) {
      // Apart, so that they arrive in this order.
      for (let copy = 0; copy < duplicate; copy++)
        this.later(delay_ms + at * 10, () => this.post(target, body, 1));
    }
  }

  close(): void {
    for (const timer of this.pending) clearTimeout(timer);
    this.pending.clear();
  }

  /** As the object is now: a later change does not show in it. */
  private bodyOf(type: string, object: object): string {
    const created = Math.floor(Date.now() / 1_000);
    return JSON.stringify({
      id: newObjectId('evt'),
      object: 'event',
      type,
      created,
      livemode: false,
      data: { object },
    });
  }

  private later(ms: number, run: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.pending.delete(timer);
      void run();
    }, ms);
    this.pending.add(timer);
  }

  private async post(target: WebhookTarget, payload: string, tries: number): Promise<void> {
    const { url, secret } = target;
    const signature = this.stripe.webhooks.generateTestHeaderString({ payload, secret });
    const isTaken = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body: payload,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.ok;
      },
      () => false,
    );
    if (!isTaken && tries < TRIES) this.later(RETRY_MS, () => this.post(target, payload, tries + 1));
  }
}
