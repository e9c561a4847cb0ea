import { type TextPlace } from '../../output/kept-output';
import { JoinedText } from './joined-text';
import { type ItemPlace, type ResponseEvents } from './response-events';

/** The texts of output items: their events' names, each with the member of the last event that has the whole text. */
const wholeText = {
  output_text: 'text',
  refusal: 'refusal',
  reasoning_summary_text: 'text',
  function_call_arguments: 'arguments',
  custom_tool_call_input: 'input',
} as const;

type TextKind = keyof typeof wholeText;

/** A generated text of an output item, told in deltas. */
export class StreamedText {
  readonly #text = new JoinedText();
  readonly #events: ResponseEvents;
  readonly #kind: TextKind;
  readonly #where: string;
  readonly #place: TextPlace;

  /** `where`: the members of an event that name the text's place, as JSON without braces. */
  constructor(events: ResponseEvents, kind: TextKind, { where, at }: { where: string; at: string }) {
    this.#events = events;
    this.#kind = kind;
    this.#where = where;
    this.#place = { member: kind, at };
  }

  /** All text so far, as a JSON string. */
  get json(): string {
    return this.#text.json;
  }

  /** `json`: a piece of the text, as a JSON string. `more`: further members, each with a comma before it. */
  add(json: string, more = ''): string {
    this.#text.add(json);
    this.#events.countText(this.#place, json);
    return this.#events.write(`response.${this.#kind}.delta`, `${this.#where},"delta":${json}${more}`);
  }

  done(more = ''): string {
    const whole = `"${wholeText[this.#kind]}":${this.json}`;
    return this.#events.write(`response.${this.#kind}.done`, `${this.#where},${whole}${more}`);
  }
}

/** The members of an event that name an output item, or a part of it. */
export function placeMembers(
  { id, index }: ItemPlace,
  part?: { readonly member: 'content_index' | 'summary_index'; readonly index: number },
): { readonly where: string; readonly at: string } {
  const where = `"item_id":"${id}","output_index":${String(index)}`;
  if (part === undefined) return { where, at: String(index) };
  const partIndex = String(part.index);
  return { where: `${where},"${part.member}":${partIndex}`, at: `${String(index)},${partIndex}` };
}
