import { type IncomingMessage, type ServerResponse } from 'node:http';
import { openaiErrorBody } from '../openai-error';
import { Refusal } from '../refusal';
import { type FineTuningSettings } from './fine-tuning-settings';

type Fault = NonNullable<FineTuningSettings['fault']>;

/** Faults of calls to files, jobs and endpoints on their way and back, and how many calls there were. */
export class CallFaults {
  private readonly counted = new Map<string, number>();
  private fault: Fault | null = null;
  private left = Infinity;
  private route = '';

  direct({ fault, fault_count, fault_route }: FineTuningSettings): void {
    this.fault = fault ?? null;
    this.left = fault_count ?? Infinity;
    this.route = fault_route ?? '';
  }

  /** Counts a call. @returns what is to happen to it. */
  next(route: string): Fault | null {
    const counted = route.replace(/(file|ftjob|endpoint)-\w+/, '{id}');
    this.counted.set(counted, (this.counted.get(counted) ?? 0) + 1);
    if (this.fault === null || this.left <= 0 || !route.startsWith(this.route)) return null;
    this.left--;
    return this.fault;
  }

  /** Answers nothing of use, or nothing at all. */
  disturb(fault: Exclude<Fault, 'lost_answer'>, incoming: IncomingMessage, response: ServerResponse): void {
    switch (fault) {
      case 'reset':
        incoming.socket.resetAndDestroy();
        return;
      case 'silence':
        // Until the client disconnects.
        return;
      case 'malformed':
        response
          .writeHead(200, { 'x-svc-simulator': '1', 'content-type': 'application/json' })
          .end('{"simulator":"this is not the protocol"}');
        return;
      case 'error': {
        const refusal = new Refusal(503, 'The Svc simulator was told to be out of reach.');
        response
          .writeHead(503, { 'x-svc-simulator': '1', 'content-type': 'application/json' })
          .end(JSON.stringify(openaiErrorBody(refusal)));
      }
    }
  }

  /** Calls by route, with `{id}` for the ids of this API. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.counted);
  }
}
