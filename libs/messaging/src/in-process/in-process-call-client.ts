import { type InProcessEventServer } from './in-process-event-server';
import { type CallClient, type CallRecord } from '../call-record';

/** Hands finished calls to the handlers of the same process. */
export class InProcessCallClient implements CallClient {
  constructor(private readonly server: InProcessEventServer) {}

  async handOver(calls: readonly CallRecord[]): Promise<void> {
    for (const call of calls) await this.server.takeCall(call);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
