import { byteJson } from '../../json/byte-json';
import { type ItemPlace, type ResponseEvents } from './response-events';
import { placeMembers, StreamedText } from './streamed-text';

/** An output item of type `reasoning`. Its text is a summary, because all clients show that and few show `content`. */
export class ReasoningOutputItem {
  /** The data that the provider needs to take the reasoning back. Null while it is not known. */
  encryptedContent: string | null;
  readonly #events: ResponseEvents;
  readonly #place: ItemPlace;
  #text: StreamedText | null = null;

  constructor(events: ResponseEvents, encryptedContent: string | null) {
    this.#events = events;
    this.#place = events.openItem('rs');
    this.encryptedContent = encryptedContent;
  }

  begin(): string {
    return this.#events.itemAdded(this.#place, `{"id":"${this.#place.id}","type":"reasoning","summary":[]}`);
  }

  /** `json`: a piece of the text, as a JSON string. */
  text(json: string): string {
    if (this.#text !== null) return this.#text.add(json);
    this.#text = new StreamedText(this.#events, 'reasoning_summary_text', this.#members);
    return this.#partEvent('added', '""') + this.#text.add(json);
  }

  end(): string {
    const text = this.#text;
    const ended = text === null ? '' : text.done() + this.#partEvent('done', text.json);
    const summary = text === null ? '' : `{"type":"summary_text","text":${text.json}}`;
    const encrypted =
      this.encryptedContent === null ? '' : `,"encrypted_content":${byteJson(this.encryptedContent)}`;
    const item = `{"id":"${this.#place.id}","type":"reasoning","summary":[${summary}]${encrypted}}`;
    return ended + this.#events.itemDone(this.#place, item);
  }

  get #members(): { where: string; at: string } {
    return placeMembers(this.#place, { member: 'summary_index', index: 0 });
  }

  #partEvent(name: 'added' | 'done', text: string): string {
    const part = `"part":{"type":"summary_text","text":${text}}`;
    return this.#events.write(`response.reasoning_summary_part.${name}`, `${this.#members.where},${part}`);
  }
}
