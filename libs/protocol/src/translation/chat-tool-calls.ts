import { isRecord, type JsonRecord } from '../json/byte-text';
import { jsonTextOf } from '../output/arguments-text';
import { CallIds } from './call-ids';
import { JsonEnd } from './json-end';
import { listIn, recordIn, textIn } from './untyped-json';

interface ChatToolCall<Block> {
  /** As the upstream sent it. Empty when it sent none. */
  id: string;
  /** Empty until its name came. */
  name: string;
  /** True where it is known that the name is whole. */
  isNamed: boolean;
  isCustom: boolean;
  readonly block: Block;
  /** Its arguments or its input so far. */
  input: string;
  /** Tells when its arguments are complete. */
  readonly end: JsonEnd;
  /** True where its name came once more after its arguments were complete. */
  isNamedAgain: boolean;
}

/** A call with its name. */
interface NamedCall<Block> {
  readonly block: Block;
  readonly callId: string;
  readonly name: string;
  readonly isCustom: boolean;
}

/** The addition of an entry of `tool_calls` to its call. */
interface CallAddition<Block> {
  readonly block: Block;
  /** The calls whose names are known to be whole now. Each call comes once. */
  readonly named: readonly NamedCall<Block>[];
  /** The next piece of its arguments or its input. */
  readonly input: string;
}

/** The tool calls of a chat message or delta. The deprecated `function_call` is one, which several servers still answer. */
export function calledIn({ tool_calls: calls, function_call: called }: JsonRecord): readonly unknown[] {
  const listed = listIn(calls);
  return listed.length === 0 && isRecord(called) ? [{ function: called }] : listed;
}

interface CallPiece {
  readonly id: string;
  readonly index: unknown;
  readonly name: string;
  readonly input: string;
  /** True where it has a type, as the first piece of a call has. */
  readonly hasType: boolean;
}

const NONE: readonly never[] = [];

/**
 * Assembles the tool calls of a chat answer that comes in pieces, each with the block of the other protocol. Some servers send a name
 * in pieces too, others repeat it in each one. So a name is told when its arguments begin, or anything else comes.
 */
export class ChatToolCalls<Block> {
  readonly #calls: ChatToolCall<Block>[] = [];
  readonly #open: (end: JsonEnd) => Block;
  readonly #ids = new CallIds();
  /** The call whose name may not be whole yet. */
  #naming: ChatToolCall<Block> | null = null;
  /** The latest tool call at each of the upstream's indexes. */
  readonly #callAt = new Map<unknown, ChatToolCall<Block>>();

  /** `open`: makes the block of a call. It is told when the call's arguments are complete. */
  constructor(open: (end: JsonEnd) => Block) {
    this.#open = open;
  }

  get hasNamed(): boolean {
    return this.#calls.some(({ name }) => name !== '');
  }

  get hasUnnamed(): boolean {
    return this.#calls.some(({ name }) => name === '');
  }

  /** `entry`: one of `tool_calls`. `answerId`: the provider's id of the answer. */
  take(entry: JsonRecord, answerId: string): CallAddition<Block> {
    const called = recordIn(entry['function'] ?? entry['custom']);
    const piece = {
      id: textIn(entry['id']),
      index: entry['index'] ?? null,
      name: textIn(called['name']),
      input: jsonTextOf(called['arguments']) + jsonTextOf(called['input']),
      hasType: textIn(entry['type']) !== '',
    };
    const { call, name } = this.#placeOf(piece);
    if (isRepeated(call, piece)) return { block: call.block, named: NONE, input: '' };
    const before = this.#naming === call ? NONE : this.nameWhole(answerId);
    if (!call.isNamed && name !== '') {
      call.name = joinedName(call.name, name);
      call.isCustom = isRecord(entry['custom']);
      this.#naming = call;
    }
    call.input += piece.input;
    call.end.push(piece.input);
    const now = call.input === '' ? NONE : this.nameWhole(answerId);
    return { block: call.block, named: before.length === 0 ? now : [...before, ...now], input: piece.input };
  }

  /** The call whose name is whole, because no more of it can come. */
  nameWhole(answerId: string): readonly NamedCall<Block>[] {
    const call = this.#naming;
    if (call === null) return NONE;
    this.#naming = null;
    call.isNamed = true;
    const { block, id, name, isCustom } = call;
    return [{ block, callId: this.#ids.next(id, answerId), name, isCustom }];
  }

  /** The call of a piece, a new one if need be, and its name if it is known. */
  #placeOf(piece: CallPiece): { readonly call: ChatToolCall<Block>; readonly name: string } {
    const known = piece.index === null ? this.#callWithoutIndex(piece) : this.#callAt.get(piece.index);
    if (known === undefined || isAnother(known, piece)) return { call: this.#begin(piece), name: piece.name };
    if (known.isNamedAgain && piece.input.trim() !== '')
      return { call: this.#begin(piece), name: known.name };
    known.isNamedAgain ||= known.end.hasEnded && piece.name !== '' && piece.id === '';
    if (known.name === '') known.id ||= piece.id;
    return { call: known, name: piece.name };
  }

  #begin({ id, index }: CallPiece): ChatToolCall<Block> {
    const end = new JsonEnd();
    const state = { name: '', isNamed: false, isCustom: false, input: '', isNamedAgain: false };
    const call = { ...state, id, block: this.#open(end), end };
    this.#calls.push(call);
    this.#callAt.set(index, call);
    return call;
  }

  #callWithoutIndex(piece: CallPiece): ChatToolCall<Block> | undefined {
    const { id, name } = piece;
    if (id !== '') return this.#calls.findLast((call) => call.id === id);
    const last = this.#calls.at(-1);
    if (name === '') return last;
    const isOpen = last !== undefined && last.input !== '' && !last.end.hasEnded;
    return isOpen || (last !== undefined && continuesName(last, piece)) ? last : undefined;
  }
}

/** A server repeats the name, or all of it so far, or sends what follows. */
const joinedName = (before: string, piece: string): string =>
  piece.startsWith(before) ? piece : before + piece;

/**
 * True where a piece with another name goes on with the name of a call: it has the call's id, or no id where calls have one, or
 * nothing that a first piece has.
 */
const continuesName = ({ id, name, isNamed }: ChatToolCall<unknown>, piece: CallPiece): boolean =>
  name !== '' && !isNamed && (piece.id === '' ? id !== '' || !piece.hasType : piece.id === id);

/**
 * True where a piece at a call's place begins another call. Upstreams mark a new tool call differently: by an index, by a
 * new id at the same index, or by a new name alone, once the arguments of the call before are complete.
 */
function isAnother(known: ChatToolCall<unknown>, piece: CallPiece): boolean {
  const { id, name, input } = piece;
  if (id !== '' && known.id !== '' && id !== known.id) return true;
  if (name === '' || known.name === '' || continuesName(known, piece)) return false;
  if (!known.end.hasEnded) return id === '' && name !== known.name;
  return name !== known.name || (input.trim() !== '' && !isRepeated(known, piece));
}

/** True where an upstream sends a whole call once more at its end. */
const isRepeated = ({ id, name, input, end }: ChatToolCall<unknown>, piece: CallPiece): boolean =>
  end.hasEnded && id !== '' && piece.id === id && piece.name === name && piece.input === input;
