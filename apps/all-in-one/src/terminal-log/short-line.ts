type LogLine = Readonly<Record<string, unknown>>;

const CONTROL_CHARACTERS = /\p{Cc}+/gu;
/** Fields shown at the start or end of each line, and fields that are of no use on a terminal. */
const SAID_ELSEWHERE = new Set(['level', 'time', 'service', 'msg', 'request_id', 'organization_id', 'err']);
const NANOS_A_DOLLAR = 1e9;

/**
 * One line of the log for people: the time of day, what happened, and the request id by which the whole line is found
 * (docs/operate.md#what-each-process-tells). Values from callers, such as a model's name, cannot control the terminal.
 * @param jsonLine as the logger writes it.
 */
export function shortLine(jsonLine: string): string {
  const line = JSON.parse(jsonLine) as LogLine;
  const { level, time, request_id: requestId } = line;
  const parts = [
    new Date(String(time)).toTimeString().slice(0, 8),
    level === 'info' ? undefined : level,
    ...happened(line),
    requestId,
  ];
  return parts.filter(isSaid).map(String).join('  ').replace(CONTROL_CHARACTERS, ' ');
}

function happened(line: LogLine): unknown[] {
  const { msg, route, duration_ms: durationMs, error_code: errorCode } = line;
  const duration = isSaid(durationMs) ? `${String(durationMs)} ms` : undefined;
  switch (msg) {
    case 'inference call':
      return [route, line['model'], line['provider'], line['outcome'], errorCode, costOf(line), duration];
    case 'token count':
      return [route, errorCode, duration];
    case 'request':
      return [line['method'], route, line['status'], duration];
    default:
      return [msg, ...detailsOf(line)];
  }
}

const costOf = ({ customer_nanos: nanos }: LogLine): string | undefined =>
  typeof nanos === 'number' ? `$${String(Number((nanos / NANOS_A_DOLLAR).toFixed(9)))}` : undefined;

function detailsOf(line: LogLine): string[] {
  const { err } = line;
  const reason = isSaid(err) ? [String((err as { readonly message?: unknown }).message)] : [];
  const details = Object.entries(line)
    .filter(([name, value]) => !SAID_ELSEWHERE.has(name) && isSaid(value) && typeof value !== 'object')
    .map(([name, value]) => `${name}=${String(value)}`);
  return [...reason, ...details];
}

const isSaid = (value: unknown): boolean => value !== undefined && value !== null;
