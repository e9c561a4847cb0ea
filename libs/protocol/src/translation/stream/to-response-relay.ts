import { type AnswerAdditions } from '../../answer/answer-additions';
import { FrameRelay, protocolViolation } from '../../stream/stream-relay';
import { type Loss, Losses } from '../loss';
import { type AnsweredCall } from '../response/response-object';
import { type IncompleteReason, ResponseWriter } from '../response/response-writer';
import { RepeatedFrame } from './repeated-frame';

/** Far more text than any model writes. The last events repeat all of it, so without a bound it could fill the memory. */
const TEXT_BYTES_MAX = 16 * 1024 * 1024;

/** The common part of the relays of other protocols to a responses caller. */
export abstract class ToResponseRelay extends FrameRelay {
  protected readonly writer: ResponseWriter;
  protected readonly collected = new Losses();
  /** A frame of text and nothing else. */
  protected readonly textFrame = new RepeatedFrame();

  constructor(call: AnsweredCall) {
    super();
    this.writer = new ResponseWriter(call);
  }

  /** Parts of the answer that the translation lost, for `warnings[]`. */
  override get losses(): readonly Loss[] {
    return this.collected.all;
  }

  override nextSequenceNumber(): number {
    return this.writer.nextSequenceNumber;
  }

  override keepOutput(): void {
    super.keepOutput();
    this.writer.keepOutput(this.keptOutput);
  }

  /** Takes a frame that may have anything. */
  protected abstract takeFrame(frame: string): string;

  protected take(frame: string): string {
    const textAlone = this.textFrame.match(frame);
    const events = textAlone === null ? this.takeFrame(frame) : this.writer.text(textAlone);
    this.outputBytes = this.writer.textBytes;
    return this.outputBytes > TEXT_BYTES_MAX ? this.fail(protocolViolation) : events;
  }

  /** The first events, once. */
  protected begin(upstreamId: string): string {
    if (this.started) return '';
    this.started = true;
    return this.writer.begin(upstreamId);
  }

  protected lastEvent(reason: IncompleteReason, additions: AnswerAdditions): string {
    return this.writer.lastEvent(reason, this.usage, additions);
  }
}
