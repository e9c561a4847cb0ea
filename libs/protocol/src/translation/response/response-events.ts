import { inside } from '../../json/byte-json';
import { type KeptOutput, type TextPlace } from '../../output/kept-output';

/** The prefixes that OpenAI gives the ids of output items. */
type ItemPrefix = 'msg' | 'rs' | 'fc' | 'ctc';

/** An output item's id, and its index in the output. */
export interface ItemPlace {
  readonly id: string;
  readonly index: number;
}

/** OpenAI takes ids of at most 64 characters. The rest is for the prefix and the index. */
const ID_CHARACTERS_MAX = 52;

/** The numbered events of one responses stream. Everything is byte text. */
export class ResponseEvents {
  /** Bytes of all generated text. JSON escapes count as written. */
  textBytes = 0;
  /** Where all generated text is kept. */
  keptOutput: KeptOutput | null = null;
  /** The upstream's id of the answer, as far as ids may hold it. */
  answerId = '';
  #nextNumber = 0;
  /** The output items by index, each once it is done. */
  readonly #items: string[] = [];
  #opened = 0;

  get nextSequenceNumber(): number {
    return this.#nextNumber;
  }

  /** All output items as a JSON list. */
  get output(): string {
    return `[${this.#items.join(',')}]`;
  }

  get lastIndex(): number {
    return this.#opened - 1;
  }

  setAnswerId(upstreamId: string): void {
    this.answerId = upstreamId.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(-ID_CHARACTERS_MAX);
  }

  /** `members`: those after `sequence_number`, as JSON without braces. */
  write(type: string, members: string): string {
    const head = `{"type":"${type}","sequence_number":${String(this.#nextNumber++)}`;
    return `event: ${type}\ndata: ${head},${members}}\n\n`;
  }

  countText(place: TextPlace, json: string): void {
    const text = inside(json);
    this.textBytes += text.length;
    this.keptOutput?.add(place, text);
  }

  openItem(prefix: ItemPrefix): ItemPlace {
    const index = this.#opened++;
    return { id: `${prefix}_${this.answerId}_${String(index)}`, index };
  }

  itemAdded({ index }: ItemPlace, item: string): string {
    return this.write('response.output_item.added', `"output_index":${String(index)},"item":${item}`);
  }

  itemDone({ index }: ItemPlace, item: string): string {
    this.#items[index] = item;
    return this.write('response.output_item.done', `"output_index":${String(index)},"item":${item}`);
  }
}
