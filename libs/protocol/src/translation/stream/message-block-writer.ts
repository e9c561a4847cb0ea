import { byteJson, bytesInside, inside } from '../../json/byte-json';
import { type JsonRecord } from '../../json/byte-text';
import { type KeptOutput, type TextPlace } from '../../output/kept-output';
import { type ReasoningOrigin } from '../reasoning';
import { JsonEnd } from '../json-end';

/** A content block of the answer. */
interface Block {
  readonly kind: 'thinking' | 'text' | 'tool_use';
  /** The `content_block` of `content_block_start`. */
  beginning: JsonRecord;
  /** The field that thinking came from. Null for any other block. */
  readonly signature: ReasoningOrigin | null;
  /** True where it can be written: a tool call must have its name first. */
  isReady: boolean;
  hasBegun: boolean;
  /** Pieces that are not written yet, as JSON strings in byte text. */
  waiting: string[];
  /** Detects the end of a tool call's arguments. */
  readonly end: JsonEnd;
  readonly place: TextPlace;
}

/** An opaque handle of a tool call's block. */
export type ToolBlock = Block;

const deltas = {
  thinking: '{"type":"thinking_delta","thinking":',
  text: '{"type":"text_delta","text":',
  tool_use: '{"type":"input_json_delta","partial_json":',
} as const;

/**
 * Writes the content blocks of a messages stream one after another, as the protocol requires. The pieces may come
 * interleaved: a chat stream may return to an earlier tool call. Pieces of the first incomplete block are written at
 * once. Pieces of later blocks wait. Every method returns the byte text of the frames to send now.
 */
export class MessageBlockWriter {
  /** Bytes of all pieces taken. JSON escapes count as written. */
  writtenBytes = 0;
  /** Where all pieces taken are kept. */
  keptOutput: KeptOutput | null = null;
  #queue: Block[] = [];
  /** Index of the first block in the queue. */
  #index = 0;
  #blocks = 0;

  thinking(piece: string, field: ReasoningOrigin): string {
    const last = this.#queue.at(-1);
    const beginning = { type: 'thinking', thinking: '', signature: '' };
    const block = last?.kind === 'thinking' ? last : this.#open('thinking', beginning, field);
    return this.#append(block, byteJson(piece));
  }

  text(piece: string): string {
    return this.textJson(byteJson(piece));
  }

  /** `json`: a non-empty piece of text, as a JSON string in byte text. */
  textJson(json: string): string {
    const last = this.#queue.at(-1);
    const block = last?.kind === 'text' ? last : this.#open('text', { type: 'text', text: '' }, null);
    return this.#append(block, json);
  }

  /** Opens the block of a tool call. Nothing of it is written before `nameTool`. `end`: of its arguments. */
  openTool(end: JsonEnd): ToolBlock {
    const block = this.#open('tool_use', {}, null, end);
    block.isReady = false;
    return block;
  }

  nameTool(block: ToolBlock, id: string, name: string): string {
    block.beginning = { type: 'tool_use', id, name, input: {} };
    block.isReady = true;
    return this.#advance(false);
  }

  /** @returns null when the block is already complete and written, so the piece comes too late. */
  toolArguments(block: ToolBlock, piece: string): string | null {
    if (!this.#queue.includes(block)) return piece.trim() === '' ? '' : null;
    return this.#append(block, byteJson(piece));
  }

  /** Completes every block. A tool call without a name is dropped. */
  flush(): string {
    return this.#advance(true);
  }

  #open(
    kind: Block['kind'],
    beginning: JsonRecord,
    signature: Block['signature'],
    end = new JsonEnd(),
  ): Block {
    const block = {
      kind,
      beginning,
      signature,
      isReady: true,
      hasBegun: false,
      waiting: [],
      end,
      place: { member: kind, at: String(this.#blocks++) },
    };
    this.#queue.push(block);
    return block;
  }

  #append(block: Block, json: string): string {
    this.writtenBytes += bytesInside(json);
    this.keptOutput?.add(block.place, inside(json));
    block.waiting.push(json);
    return this.#advance(false);
  }

  #advance(isEnd: boolean): string {
    let out = '';
    for (let head = this.#queue[0]; head !== undefined; head = this.#queue[0]) {
      if (!head.isReady) {
        if (!isEnd) return out;
        this.#queue.shift();
        continue;
      }
      out += this.#write(head);
      const isFollowed = this.#queue.length > 1;
      if (!isEnd && !(isFollowed && isComplete(head))) return out;
      out += this.#stop(head);
    }
    return out;
  }

  #write(block: Block): string {
    let out = '';
    const index = String(this.#index);
    if (!block.hasBegun) {
      const beginning = byteJson(block.beginning);
      out = frame('content_block_start', `"index":${index},"content_block":${beginning}`);
      block.hasBegun = true;
    }
    for (const json of block.waiting) {
      out += frame('content_block_delta', `"index":${index},"delta":${deltas[block.kind]}${json}}`);
    }
    block.waiting = [];
    return out;
  }

  #stop(block: Block): string {
    this.#queue.shift();
    const index = String(this.#index++);
    const { signature } = block;
    const delta = `"index":${index},"delta":{"type":"signature_delta","signature":"${String(signature)}"}`;
    const signed = signature === null ? '' : frame('content_block_delta', delta);
    return signed + frame('content_block_stop', `"index":${index}`);
  }
}

const isComplete = (block: Block): boolean => block.kind !== 'tool_use' || block.end.hasEnded;

const frame = (event: string, members: string): string =>
  `event: ${event}\ndata: {"type":"${event}",${members}}\n\n`;
