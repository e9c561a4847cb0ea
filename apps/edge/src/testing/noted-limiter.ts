import { systemClock } from '@svc/runtime';
import { type AffinityName } from '../call/call-affinity';
import { InProcessLimiter } from '../limits/in-process-limiter';

/** A limiter that notes which affinity entries it was asked to read, and to keep. */
export class NotedLimiter extends InProcessLimiter {
  /** Of each admitted or refused call: the name of its entry, null where none was asked for. */
  readonly read: (AffinityName | null)[] = [];
  readonly kept: string[] = [];

  constructor() {
    super(systemClock);
  }

  override admit(...[owner, demand, affinity = null]: Parameters<InProcessLimiter['admit']>) {
    this.read.push(affinity);
    return super.admit(owner, demand, affinity);
  }

  override keepEntry(name: AffinityName, entry: string): void {
    this.kept.push(entry);
    super.keepEntry(name, entry);
  }
}
