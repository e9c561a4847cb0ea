import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { GatewayError } from '@svc/kernel';
import { callFingerprint, parseCall, type Operation, type ParsedCall } from '@svc/protocol';
import { type FingerprintedCall, type ParseJob, type ParseResult } from './parse-job';

/** Above this a body is parsed on a thread of its own: JSON.parse of 50 MB would hold every other caller up. */
const INLINE_BYTES_MAX = 256 * 1024;

/** Parses calls where that hurts nobody: small bodies at once, large ones on a second thread, one after the other. */
export class CallParser {
  private worker: Worker | null = null;
  private nextJob = 0;
  private readonly waiting = new Map<
    number,
    { resolve(call: FingerprintedCall): void; reject(error: unknown): void }
  >();

  /** `workerFile`: what the second thread runs. */
  constructor(private readonly workerFile = join(__dirname, 'parse-worker.js')) {}

  /** @throws GatewayError as {@link parseCall} does. */
  async parse(operation: Operation, body: Uint8Array): Promise<ParsedCall> {
    return (await this.read(operation, body, { fingerprinted: false })).parsed;
  }

  /**
   * The call, with its fingerprint when asked for: of a large body the whole JSON value is on the second thread only.
   * @throws GatewayError as {@link parseCall} does.
   */
  async read(
    operation: Operation,
    body: Uint8Array,
    { fingerprinted }: { readonly fingerprinted: boolean },
  ): Promise<FingerprintedCall> {
    if (body.byteLength <= INLINE_BYTES_MAX) {
      const parsed = parseCall(operation, body);
      return { parsed, fingerprint: fingerprinted ? callFingerprint(operation, body) : null };
    }
    const worker = (this.worker ??= this.startWorker());
    const id = this.nextJob++;
    // Its own memory goes over and comes back; nothing is copied.
    const bytes = body.byteLength === body.buffer.byteLength ? body : new Uint8Array(body);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      worker.postMessage({ id, operation, bytes, fingerprinted } satisfies ParseJob, [
        bytes.buffer as ArrayBuffer,
      ]);
    });
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private startWorker(): Worker {
    const worker = new Worker(this.workerFile);
    worker.unref();
    worker.on('message', ({ id, call, refusal }: ParseResult) => {
      const job = this.waiting.get(id);
      this.waiting.delete(id);
      if (call) job?.resolve(call);
      else
        job?.reject(
          new GatewayError(refusal.reason, refusal.message, {
            ...(refusal.param && { param: refusal.param }),
          }),
        );
    });
    worker.on('error', (cause) => {
      this.worker = null;
      for (const job of this.waiting.values()) job.reject(cause);
      this.waiting.clear();
    });
    return worker;
  }
}
