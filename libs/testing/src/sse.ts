import { collect } from './collect';

/** One block of an event stream, up to its empty line. */
export interface SseFrame {
  /** Value of the `event:` line. Null without one. */
  readonly event: string | null;
  /** The joined `data:` lines. Null without one. */
  readonly data: string | null;
  /** `data` as JSON. Undefined when it is not JSON, such as `[DONE]`. */
  readonly json: unknown;
  /** Comment lines, without their colon: keep-alives. */
  readonly comments: readonly string[];
}

/** The common part of the responses of `fetch` and undici. */
interface StreamedResponse {
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** All frames of a stream. @throws when it is cut. */
export async function readSse(response: StreamedResponse): Promise<SseFrame[]> {
  return collect(sseFrames(response));
}

/** Frames as they arrive, however the bytes are chunked. An incomplete block at the end is dropped, as in clients. */
export async function* sseFrames({ body }: StreamedResponse): AsyncGenerator<SseFrame> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let pending = '';
  for await (const chunk of body) {
    pending = (pending + decoder.decode(chunk, { stream: true })).replaceAll('\r\n', '\n');
    for (let end = pending.indexOf('\n\n'); end !== -1; end = pending.indexOf('\n\n')) {
      yield parseFrame(pending.slice(0, end));
      pending = pending.slice(end + 2);
    }
  }
}

function parseFrame(block: string): SseFrame {
  let event: string | null = null;
  const data: string[] = [];
  const comments: string[] = [];
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'event') event = value;
    else if (name === 'data') data.push(value);
    else if (name === '') comments.push(value);
  }
  const text = data.length === 0 ? null : data.join('\n');
  return { event, data: text, json: parseJson(text), comments };
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
