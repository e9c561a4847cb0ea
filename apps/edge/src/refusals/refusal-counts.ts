import { type GatewayError } from '@svc/kernel';
import { type RefusalCount } from '@svc/persistence';

/** Whose call was refused. */
export interface RefusedCaller {
  readonly organizationId: string;
  /** Null: without a project. */
  readonly projectId: string | null;
  readonly apiKeyId: string;
}

type Refusal = Pick<GatewayError, 'code' | 'message' | 'definition'>;
type Counted = { -readonly [Field in keyof RefusalCount]: RefusalCount[Field] };

const HOUR_MS = 3_600_000;
const MESSAGE_LENGTH_MAX = 300;

/**
 * Refusals that are not written yet, summed by hour, caller, model and code. A refusal costs one look-up in a map. There are
 * at most `rowsMax` sums: refusals beyond them are dropped.
 */
export class RefusalCounts {
  /** The oldest first. */
  private rows = new Map<string, Counted>();

  constructor(private readonly rowsMax: number) {}

  get size(): number {
    return this.rows.size;
  }

  /**
   * @param model of the catalog: other names are without end.
   * @returns false where the refusal was dropped.
   */
  add(caller: RefusedCaller, model: string | null, refusal: Refusal, nowMs: number): boolean {
    const hourMs = nowMs - (nowMs % HOUR_MS);
    const { code } = refusal;
    const key = `${caller.apiKeyId} ${code} ${String(hourMs)} ${caller.projectId ?? ''} ${model ?? ''}`;
    const row = this.rows.get(key);
    if (row === undefined) {
      if (this.rows.size >= this.rowsMax) return false;
      const { organizationId, projectId, apiKeyId } = caller;
      const first = { count: 1, lastAtMs: nowMs, lastMessage: shown(refusal.message) };
      const httpStatus = refusal.definition.status;
      this.rows.set(key, {
        organizationId,
        hourMs,
        projectId,
        apiKeyId,
        model,
        code,
        httpStatus,
        ...first,
      });
      return true;
    }
    row.count++;
    row.lastAtMs = nowMs;
    row.lastMessage = shown(refusal.message);
    return true;
  }

  /** Removes the oldest sums. */
  take(rowsMax: number): readonly RefusalCount[] {
    const taken: RefusalCount[] = [];
    for (const [key, row] of this.rows) {
      if (taken.length === rowsMax) break;
      taken.push(row);
      this.rows.delete(key);
    }
    return taken;
  }
}

/** Copies what it cuts, because a slice would keep the whole message in memory. */
const shown = (message: string): string =>
  message.length <= MESSAGE_LENGTH_MAX
    ? message
    : Buffer.from(message.slice(0, MESSAGE_LENGTH_MAX)).toString();
