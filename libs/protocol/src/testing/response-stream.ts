type Json = Record<string, unknown>;

interface ResponseEvent extends Json {
  readonly type: string;
  readonly sequence_number: number;
}

/** The events of a responses stream. Each has its type as its name. */
export function responseEvents(stream: string): ResponseEvent[] {
  const frames = stream.split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'));
  return frames.map((frame) => {
    const [, name, data = ''] = /^event: (.*)\ndata: (.*)$/.exec(frame) ?? [];
    const event = JSON.parse(data) as ResponseEvent;
    expect(event.type).toBe(name);
    return event;
  });
}

/** The texts of output items: the ends of their events' names, each with the member of `….done` that has the text. */
const WHOLE_TEXT: ReadonlyMap<string, string> = new Map([
  ['output_text', 'text'],
  ['refusal', 'refusal'],
  ['reasoning_summary_text', 'text'],
  ['function_call_arguments', 'arguments'],
  ['custom_tool_call_input', 'input'],
]);

/** An object that an `….added` event began, as the events after it make it. */
interface Begun {
  readonly value: Json;
  isOpen: boolean;
}

/**
 * Follows the events of a whole responses stream strictly: everything that begins ends once, texts come only into what
 * is open, and each `….done` repeats what came before it.
 */
export class ResponseFollower {
  readonly #items = new Map<unknown, Begun>();
  readonly #parts = new Map<string, Begun>();
  readonly #texts = new Map<string, string>();
  readonly #ended = new Set<string>();

  /**
   * @param isReplay whether pieces of texts were joined, so that numbers rise with gaps
   * @returns the last response
   */
  follow(stream: string, isReplay = false): Json {
    const events = responseEvents(stream);
    const numbers = events.map(({ sequence_number: number }) => number);
    if (isReplay) expect(numbers).toEqual(Array.from(new Set(numbers)).sort((a, b) => a - b));
    else expect(numbers).toEqual(Array.from(numbers.keys()));
    expect(events.slice(0, 2).map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
    const last = events.at(-1);
    expect(['response.completed', 'response.incomplete']).toContain(last?.type);
    for (const event of events.slice(2, -1)) this.#take(event);
    const open = [...this.#items.values(), ...this.#parts.values()].filter(({ isOpen }) => isOpen);
    expect(open).toEqual([]);
    const response = last?.['response'] as Json;
    expect(response['output']).toEqual(Array.from(this.#items.values(), ({ value }) => value));
    expect(last?.type).toBe(`response.${String(response['status'])}`);
    return response;
  }

  #take(event: ResponseEvent): void {
    const [, subject = '', verb = ''] = event.type.split('.');
    if (subject === 'output_item') this.#takeItem(event, verb);
    else if (subject === 'content_part' || subject === 'reasoning_summary_part') this.#takePart(event, verb);
    else if (event.type === 'response.output_text.annotation.added') this.#takeAnnotation(event);
    else this.#takeText(event, subject, verb);
  }

  #takeItem({ output_index: index, item }: Json, verb: string): void {
    if (verb === 'added') {
      expect(index).toBe(this.#items.size);
      this.#items.set(index, { value: item as Json, isOpen: true });
      return;
    }
    const begun = this.#openItem(index);
    const { id, type } = begun.value;
    expect(item).toMatchObject({ id, type });
    for (const list of ['content', 'summary']) {
      if (begun.value[list] !== undefined) expect((item as Json)[list]).toEqual(begun.value[list]);
    }
    const { input, arguments: json } = begun.value;
    if (type === 'custom_tool_call') expect((item as Json)['input']).toBe(input);
    if (type === 'function_call') expect((item as Json)['arguments']).toBe(json);
    this.#items.set(index, { value: item as Json, isOpen: false });
  }

  #takePart(event: Json, verb: string): void {
    const list = event['summary_index'] === undefined ? 'content' : 'summary';
    const item = this.#openItem(event['output_index']);
    expect(event['item_id']).toBe(item.value['id']);
    const parts = item.value[list] as Json[];
    const index = event[`${list}_index`] as number;
    if (verb === 'added') {
      expect(index).toBe(parts.length);
      parts.push(event['part'] as Json);
      this.#parts.set(keyOf(event), { value: event['part'] as Json, isOpen: true });
      return;
    }
    const begun = this.#openPart(event);
    expect(event['part']).toEqual(begun.value);
    begun.isOpen = false;
  }

  #takeText(event: ResponseEvent, subject: string, verb: string): void {
    const member = WHOLE_TEXT.get(subject) ?? `${event.type} is unknown`;
    const item = this.#openItem(event['output_index']);
    expect(event['item_id']).toBe(item.value['id']);
    const isCall = subject === 'function_call_arguments' || subject === 'custom_tool_call_input';
    const { value } = isCall ? item : this.#openPart(event);
    const key = `${subject} ${keyOf(event)}`;
    expect(this.#ended).not.toContain(key);
    if (verb === 'done') {
      this.#ended.add(key);
      expect(event[member]).toBe(this.#texts.get(key) ?? '');
      return;
    }
    expect(verb).toBe('delta');
    this.#texts.set(key, `${this.#texts.get(key) ?? ''}${String(event['delta'])}`);
    value[member] = `${String(value[member])}${String(event['delta'])}`;
    if (subject === 'output_text') (value['logprobs'] as unknown[]).push(...(event['logprobs'] as unknown[]));
  }

  #takeAnnotation(event: Json): void {
    const annotations = this.#openPart(event).value['annotations'] as unknown[];
    expect(event['annotation_index']).toBe(annotations.length);
    annotations.push(event['annotation']);
  }

  #openItem(index: unknown): Begun {
    return opened(this.#items.get(index));
  }

  #openPart(event: Json): Begun {
    return opened(this.#parts.get(keyOf(event)));
  }
}

function opened(begun: Begun | undefined): Begun {
  if (begun?.isOpen !== true) throw new Error('an event is for what is not open');
  return begun;
}

const keyOf = ({ output_index: item, content_index: content, summary_index: summary }: Json): string =>
  [item, content, summary].map(String).join();
