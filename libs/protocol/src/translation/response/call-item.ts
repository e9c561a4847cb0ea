import { byteJson } from '../../json/byte-json';
import { type ItemStatus } from './message-item';
import { type ItemPlace, type ResponseEvents } from './response-events';
import { placeMembers, StreamedText } from './streamed-text';

/** The tool that a model calls. */
export interface CalledTool {
  readonly callId: string;
  readonly name: string;
  /** True where its input is free text instead of JSON arguments. */
  readonly isCustom: boolean;
}

/** An output item of type `function_call` or `custom_tool_call`. */
export class CallItem {
  readonly #events: ResponseEvents;
  readonly #place: ItemPlace;
  readonly #tool: CalledTool;
  readonly #input: StreamedText;

  constructor(events: ResponseEvents, tool: CalledTool) {
    this.#events = events;
    this.#tool = tool;
    this.#place = events.openItem(tool.isCustom ? 'ctc' : 'fc');
    const kind = tool.isCustom ? 'custom_tool_call_input' : 'function_call_arguments';
    this.#input = new StreamedText(events, kind, placeMembers(this.#place));
  }

  get index(): number {
    return this.#place.index;
  }

  begin(): string {
    return this.#events.itemAdded(this.#place, this.#item('in_progress'));
  }

  /** `json`: a piece of the arguments or the input, as a JSON string. */
  input(json: string): string {
    return this.#input.add(json);
  }

  end(status: ItemStatus): string {
    // Clients parse the arguments. Many servers send none where a tool has no parameters.
    const isEmpty = !this.#tool.isCustom && isBlank(this.#input.json);
    const whole = isEmpty ? this.#input.add('"{}"') : '';
    return whole + this.#input.done() + this.#events.itemDone(this.#place, this.#item(status));
  }

  #item(status: ItemStatus | 'in_progress'): string {
    const { callId, name, isCustom } = this.#tool;
    const [type, input] = isCustom ? ['custom_tool_call', 'input'] : ['function_call', 'arguments'];
    const members = `"${input}":${this.#input.json},"call_id":${byteJson(callId)},"name":${byteJson(name)}`;
    return `{"id":"${this.#place.id}","type":"${type}","status":"${status}",${members}}`;
  }
}

/** Of a JSON string: its white space is written as it is, or as an escape. */
const isBlank = (json: string): boolean => /^"(?: |\\[nrt])*"$/.test(json);
