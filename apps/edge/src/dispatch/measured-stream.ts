import { type StreamExchange } from './exchange';

/** The rest of a stream, which tells what was generated once it came to its end and is done with. */
export function measuredStream(
  { rest, relay }: Pick<StreamExchange, 'rest' | 'relay'>,
  onGenerated: (outputTokens: number) => void,
): AsyncIterator<Uint8Array> {
  return {
    next: () => rest.next(),
    return: async () => {
      if (relay.state === 'complete' && relay.usage !== null) onGenerated(relay.usage.outputTokens);
      await rest.return?.();
      return { done: true, value: undefined };
    },
  };
}
