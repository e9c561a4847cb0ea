import { type JsonRecord } from '../json/byte-text';
import { recordIn, textIn } from './untyped-json';

export interface ChatToolCall<Block> {
  /** As the upstream sent it. Empty when it sent none. */
  id: string;
  /** Empty until its name came. */
  name: string;
  readonly block: Block;
}

/** The tool calls of a chat answer that comes in pieces, each with the block of the other protocol. */
export class ChatToolCalls<Block> {
  readonly all: ChatToolCall<Block>[] = [];
  readonly #open: () => Block;
  /** The latest tool call at each of the upstream's indexes. */
  readonly #callAt = new Map<unknown, ChatToolCall<Block>>();

  constructor(open: () => Block) {
    this.#open = open;
  }

  /**
   * The call of an entry of `tool_calls`, a new one if need be. Upstreams mark a new tool call differently: by an
   * index, by a new id at the same index, or by neither.
   */
  callOf(piece: JsonRecord): ChatToolCall<Block> {
    const id = textIn(piece['id']);
    const index = piece['index'] ?? null;
    const isNamed = textIn(recordIn(piece['function'] ?? piece['custom'])['name']) !== '';
    const known = index === null ? this.#callWithoutIndex(id, isNamed) : this.#callAt.get(index);
    const isSame = known !== undefined && (id === '' || known.id === '' || known.id === id);
    if (isSame) {
      if (known.name === '') known.id ||= id;
      return known;
    }
    const call = { id, name: '', block: this.#open() };
    this.all.push(call);
    this.#callAt.set(index, call);
    return call;
  }

  #callWithoutIndex(id: string, isNamed: boolean): ChatToolCall<Block> | undefined {
    if (id !== '') return this.all.find((call) => call.id === id);
    return isNamed ? undefined : this.all.at(-1);
  }
}
