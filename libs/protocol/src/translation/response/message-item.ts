import { byteJson } from '../../json/byte-json';
import { appendAll } from '../append-all';
import { type ItemPlace, type ResponseEvents } from './response-events';
import { placeMembers, StreamedText } from './streamed-text';

/** True where the model came to an item's end. */
export type ItemStatus = 'completed' | 'incomplete';

const NO_LOGPROBS = ',"logprobs":[]';

interface OpenPart {
  readonly kind: 'output_text' | 'refusal';
  readonly where: string;
  readonly text: StreamedText;
  readonly annotations: string[];
  readonly logprobs: string[];
}

/** An output item of type `message`: parts of text and refusals, one after another. */
export class MessageItem {
  readonly #events: ResponseEvents;
  readonly #place: ItemPlace;
  readonly #parts: string[] = [];
  #open: OpenPart | null = null;

  constructor(events: ResponseEvents) {
    this.#events = events;
    this.#place = events.openItem('msg');
  }

  begin(): string {
    return this.#events.itemAdded(this.#place, this.#item('in_progress'));
  }

  /** Begins a part of text unless it is open. */
  beginText(): string {
    return this.#part('output_text').begun;
  }

  /** `json`: a piece of text, as a JSON string. */
  text(json: string, logprobs: readonly unknown[]): string {
    const { part, begun } = this.#part('output_text');
    if (logprobs.length === 0) return begun + part.text.add(json, NO_LOGPROBS);
    const pieces = logprobs.map(byteJson);
    appendAll(part.logprobs, pieces);
    return begun + part.text.add(json, `,"logprobs":[${pieces.join(',')}]`);
  }

  refusal(json: string): string {
    const { part, begun } = this.#part('refusal');
    return begun + part.text.add(json);
  }

  annotation(annotation: unknown): string {
    const { part, begun } = this.#part('output_text');
    const json = byteJson(annotation);
    const index = part.annotations.push(json) - 1;
    const members = `${part.where},"annotation_index":${String(index)},"annotation":${json}`;
    return begun + this.#events.write('response.output_text.annotation.added', members);
  }

  end(status: ItemStatus): string {
    return this.#endPart() + this.#events.itemDone(this.#place, this.#item(status));
  }

  /** The open part of the kind; else one begins. */
  #part(kind: OpenPart['kind']): { readonly part: OpenPart; readonly begun: string } {
    if (this.#open?.kind === kind) return { part: this.#open, begun: '' };
    const ended = this.#endPart();
    const members = placeMembers(this.#place, { member: 'content_index', index: this.#parts.length });
    const text = new StreamedText(this.#events, kind, members);
    const part = { kind, where: members.where, text, annotations: [], logprobs: [] };
    this.#open = part;
    return { part, begun: ended + this.#partEvent('added', part) };
  }

  #endPart(): string {
    const open = this.#open;
    if (open === null) return '';
    this.#open = null;
    this.#parts.push(partJson(open));
    const more = open.kind === 'output_text' ? `,"logprobs":[${open.logprobs.join(',')}]` : '';
    return open.text.done(more) + this.#partEvent('done', open);
  }

  #partEvent(name: 'added' | 'done', open: OpenPart): string {
    return this.#events.write(`response.content_part.${name}`, `${open.where},"part":${partJson(open)}`);
  }

  #item(status: ItemStatus | 'in_progress'): string {
    const content = this.#parts.join(',');
    return `{"id":"${this.#place.id}","type":"message","status":"${status}","role":"assistant","content":[${content}]}`;
  }
}

function partJson({ kind, text, annotations, logprobs }: OpenPart): string {
  if (kind === 'refusal') return `{"type":"refusal","refusal":${text.json}}`;
  const lists = `"annotations":[${annotations.join(',')}],"logprobs":[${logprobs.join(',')}]`;
  return `{"type":"output_text","text":${text.json},${lists}}`;
}
