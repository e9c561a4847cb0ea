import { post, svcOf } from '../harness/clients';
import { endedWell, framesOf } from '../harness/stream-frames';
import { type Svc } from '../harness/svc-process';
import { type At, call } from './lanes';
import { type WholeAnswer } from './steady-load';

/** A stream that a spec observes while it runs. */
export interface OpenStream {
  readonly id: string;
  /** The text received so far. */
  text(): string;
  /** Resolves with its end. */
  readonly ended: Promise<{ readonly endedWell: boolean; readonly atMs: number }>;
  whole(): WholeAnswer;
}

interface StreamPace {
  readonly frames: number;
  readonly everyMs: number;
}

/** Resolves when the first frame has arrived. */
export async function openStream(at: At, path: string, { frames, everyMs }: StreamPace): Promise<OpenStream> {
  const pace = { reply_words: frames, chunk_delay_ms: everyMs };
  const response = await post(at as Svc, path, call(pace, { stream: true, max_tokens: 20 * frames }));
  if (response.status !== 200) throw new Error(await response.text());
  const id = response.headers.get('x-request-id') ?? '';
  let text = '';
  const first = Promise.withResolvers<undefined>();
  const read = async () => {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        first.resolve(undefined);
      }
    } catch {
      // Cut: `endedWell` is false.
    }
    return { endedWell: endedWell(text), atMs: performance.now() };
  };
  const ended = read();
  await Promise.race([first.promise, ended]);
  return {
    id,
    text: () => text,
    ended,
    whole: () => {
      const { cost } = svcOf(framesOf(text).findLast((frame) => 'svc' in frame));
      return { id, cost: BigInt(cost.customer_nanos) };
    },
  };
}
