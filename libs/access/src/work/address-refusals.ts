import { errorCatalogue, parseIpAddress, type Clock } from '@svc/kernel';
import { lruCache, WriteBehind } from '@svc/runtime';
import { sharedCounter, type Counter, type Logger, type Registry } from '@svc/runtime/observability';
import { type RefusalRecorder } from '@svc/usage/work';
import { type AddressRefusalStore, type RefusedKey } from '../store/keys/address-refusal-store';

const WRITE_AFTER_MS = 1_000;
const HOUR_MS = 3_600_000;
/** How long a key is not asked about again whose event another process recorded. */
const TOLD_ELSEWHERE_MS = 60_000;
/** Keys that wait for their event. Further ones wait for their next refusal. */
const WAITING_MAX = 10_000;
const REMEMBERED_MAX = 100_000;

interface AddressRefusalsOptions {
  readonly store: Pick<AddressRefusalStore, 'recordEvent'>;
  /** Counts it among the refused calls. */
  readonly refusals: Pick<RefusalRecorder, 'note'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Registry;
}

/**
 * The trail of live keys that were shown from an address outside `allowed_ips`
 * (docs/reference/authentication-and-permissions.md#allowed-addresses). Who shows the key learns nothing, so the owner learns it here: by an
 * event, at most one an hour and key over all processes; among the refused calls; by a log line and a metric.
 */
export class AddressRefusals {
  private readonly counter: Counter;
  /** By key. */
  private readonly waiting = new Map<string, { readonly key: RefusedKey; readonly address: string | null }>();
  /** Until when the event of a key is known to be recorded, in Unix milliseconds: a flood of calls is no flood of statements. */
  private readonly toldUntilMs = lruCache<string, number>(REMEMBERED_MAX);
  private readonly behind: WriteBehind;

  constructor(private readonly options: AddressRefusalsOptions) {
    this.counter = sharedCounter(options.metrics, {
      name: 'svc_address_refusals_total',
      help: 'Calls with a live API key from an address that its policy does not allow.',
    });
    this.behind = new WriteBehind({
      what: 'events of refused addresses',
      logger: options.logger,
      delayMs: () => WRITE_AFTER_MS,
      isWaiting: () => this.waiting.size > 0,
      write: () => this.write(),
    });
  }

  /** Notes a refused call. Never waits. @param sent the client's address; null is kept of what is no address. */
  readonly note = (key: RefusedKey, sent: string): void => {
    const address = parseIpAddress(sent) === null ? null : sent;
    this.counter.inc();
    this.options.logger.warn(
      { organization_id: key.organizationId, api_key_id: key.id, address },
      'API key shown from an address that it does not allow',
    );
    const { organizationId, projectId, id: apiKeyId } = key;
    this.options.refusals.note({ organizationId, projectId, apiKeyId }, null, {
      code: 'address_not_allowed',
      message: `The key was shown from ${address ?? 'what is no address'}, which its policy does not allow.`,
      definition: errorCatalogue.invalidApiKey,
    });
    if (this.options.clock.now() < (this.toldUntilMs.get(key.id) ?? 0)) return;
    if (this.waiting.has(key.id) || this.waiting.size >= WAITING_MAX) return;
    this.waiting.set(key.id, { key, address });
    this.behind.wake();
  };

  /** Writes what waits, once. */
  stop(): Promise<void> {
    return this.behind.stop();
  }

  /** Rows that could not be written wait for the next time. */
  private async write(): Promise<void> {
    for (const [id, { key, address }] of this.waiting) {
      const isRecorded = await this.options.store.recordEvent(key, address);
      const pauseMs = isRecorded ? HOUR_MS : TOLD_ELSEWHERE_MS;
      this.toldUntilMs.set(id, this.options.clock.now() + pauseMs);
      this.waiting.delete(id);
    }
  }
}
