import { once } from 'node:events';
import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const BODY_END = '\r\n0\r\n\r\n';
const NEWLINE = 0x0a;
const FRAME_END = Buffer.from('\n\n');
/** Replaced in each request by a unique number. */
const UNIQUE_MARK = Buffer.from('{{unique..}}');

let lastUnique = 0;

/** One keep-alive connection with at most one call in flight. Calls `onIdle` with itself after each answer. */
export class Connection {
  onIdle = () => undefined;
  isBusy = false;
  #sentAtMs = 0;
  #firstByteAtMs = 0;
  #lastFrameAtMs = 0;
  #frames = 0;
  #endsInHalf = false;
  #status = 0;
  /** The part of an incomplete head; null once it is complete. */
  #head = null;
  /** Remaining bytes of the body; null for a chunked body. */
  #missing = null;
  #tail = '';
  #closes = false;

  constructor(port, tally, requests, at) {
    this.port = port;
    this.tally = tally;
    // Copies, because numbers are written into them.
    this.requests = tally.job.unique ? requests.map((bytes) => Buffer.from(bytes)) : requests;
    this.marks = this.requests.map((bytes) => bytes.indexOf(UNIQUE_MARK));
    // Connections start at different requests, and each sends all of them.
    this.next = (at * 7919) % requests.length;
  }

  async open() {
    this.socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    this.socket.on('data', (chunk) => this.#read(chunk));
    await once(this.socket, 'connect');
    this.socket.on('error', (error) => this.#fail(`the connection failed: ${error.message}`));
    this.socket.on('close', () => this.isBusy && this.#fail('the connection was closed before the answer'));
  }

  close() {
    this.isBusy = false;
    this.socket.destroy();
  }

  send() {
    const at = this.next;
    this.next = (at + 1) % this.requests.length;
    const bytes = this.requests[at];
    if (this.marks[at] >= 0) {
      bytes.write(String(++lastUnique).padStart(UNIQUE_MARK.length, '0'), this.marks[at], 'latin1');
    }
    this.isBusy = true;
    this.#head = Buffer.alloc(0);
    this.#firstByteAtMs = 0;
    this.#frames = 0;
    this.#endsInHalf = false;
    this.#tail = '';
    this.#sentAtMs = performance.now();
    this.socket.write(bytes);
  }

  #read(chunk) {
    if (!this.isBusy) return this.#fail('more came than one answer');
    if (this.#head === null) return this.#readBody(chunk);
    const bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) {
      this.#head = bytes;
      return;
    }
    const head = bytes.latin1Slice(0, headEnd);
    this.#head = null;
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head);
    this.#missing = length === null ? null : Number(length[1]);
    this.#closes = /\r\nconnection: *close/i.test(head);
    const body = bytes.subarray(headEnd + HEAD_END.length);
    if (body.length > 0 || this.#missing === 0) this.#readBody(body);
  }

  #readBody(chunk) {
    const now = performance.now();
    if (this.#firstByteAtMs === 0) {
      this.#firstByteAtMs = now;
      this.tally.look(this.#status, chunk);
    }
    if (this.tally.job.framesMin > 0) this.#countFrames(chunk, now);
    if (this.#missing !== null) {
      this.#missing -= chunk.length;
      if (this.#missing < 0) return this.#fail('more came than the answer was said to have');
      if (this.#missing === 0) this.#finish(now);
      return;
    }
    // Only one call is in flight, so the end of an answer is the end of the received bytes.
    const end = chunk.latin1Slice(Math.max(0, chunk.length - BODY_END.length));
    this.#tail = end.length === BODY_END.length ? end : (this.#tail + end).slice(-BODY_END.length);
    if (this.#tail === BODY_END) this.#finish(now);
  }

  #countFrames(chunk, now) {
    // One read may end between the two bytes of a terminator.
    let frames = this.#endsInHalf && chunk[0] === NEWLINE ? 1 : 0;
    this.#endsInHalf = chunk[chunk.length - 1] === NEWLINE && chunk[chunk.length - 2] !== NEWLINE;
    for (let at = chunk.indexOf(FRAME_END); at >= 0; at = chunk.indexOf(FRAME_END, at + FRAME_END.length)) {
      frames++;
    }
    if (frames === 0) return;
    if (this.#frames > 0) this.tally.gap(now - this.#lastFrameAtMs, frames);
    this.#frames += frames;
    this.#lastFrameAtMs = now;
  }

  #finish(now) {
    this.isBusy = false;
    const { framesMin } = this.tally.job;
    if (this.#status === 200 && this.#frames < framesMin) {
      return this.#fail(`a stream had ${this.#frames} of ${framesMin} frames`);
    }
    this.tally.answered(
      this.#status,
      now - this.#sentAtMs,
      this.#firstByteAtMs - this.#sentAtMs,
      this.#frames,
    );
    if (!this.#closes) return this.onIdle(this);
    this.tally.reconnects++;
    this.socket.destroy();
    this.open().then(
      () => this.onIdle(this),
      (error) => this.#fail(error.message),
    );
  }

  #fail(what) {
    this.isBusy = false;
    this.tally.fail(what);
    this.onIdle(this);
  }
}
