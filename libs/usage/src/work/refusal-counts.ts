import { type GatewayError } from '@svc/kernel';
import { type RefusalCount } from '../store/refusals/refusal-store';

/** Whose call was refused. */
export interface RefusedCaller {
  readonly organizationId: string;
  /** Null: without a project. */
  readonly projectId: string | null;
  readonly apiKeyId: string;
}

/** The counted part of a refusal: an error, or the reason that its caller is not told. */
export type Refusal = Pick<GatewayError, 'code' | 'message' | 'definition'>;
type Kind = Pick<RefusalCount, keyof RefusedCaller | 'hourMs' | 'model'>;
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
    const row = this.rows.get(key) ?? this.newRow(key, { ...caller, hourMs, model }, refusal);
    if (row === undefined) return false;
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

  /** Undefined where there is no room. */
  private newRow(key: string, kind: Kind, { code, definition }: Refusal): Counted | undefined {
    if (this.rows.size >= this.rowsMax) return undefined;
    const row = { ...kind, code, httpStatus: definition.status, count: 0, lastAtMs: 0, lastMessage: '' };
    this.rows.set(key, row);
    return row;
  }
}

/** Copies what it cuts, because a slice would keep the whole message in memory. */
const shown = (message: string): string =>
  message.length <= MESSAGE_LENGTH_MAX
    ? message
    : Buffer.from(message.slice(0, MESSAGE_LENGTH_MAX)).toString();
