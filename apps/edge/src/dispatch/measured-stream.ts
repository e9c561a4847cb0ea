import { type StreamExchange } from './exchange';

/** The rest of a stream, which tells once it is done with whether it came to its end. */
export function measuredStream(
  { rest, relay }: Pick<StreamExchange, 'rest' | 'relay'>,
  onDone: (isWhole: boolean) => void,
): AsyncIterator<Uint8Array> {
  return {
    next: () => rest.next(),
    return: async () => {
      onDone(relay.state === 'complete');
      await rest.return?.();
      return { done: true, value: undefined };
    },
  };
}
