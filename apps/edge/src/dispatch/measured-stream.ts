import { type StreamExchange } from './exchange';

/** Reports whether a stream was complete when its reader is done with it. */
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
