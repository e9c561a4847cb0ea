/** Which events a receiver is told of, as a form holds it. */
export interface Events {
  readonly isEvery: boolean;
  readonly chosen: readonly string[];
}

/** An empty list is every event. */
export const eventsOf = (types: readonly string[]): Events => ({
  isEvery: types.length === 0,
  chosen: types,
});
export const typesOf = ({ isEvery, chosen }: Events): string[] => (isEvery ? [] : [...chosen]);
export const isNoEvent = ({ isEvery, chosen }: Events): boolean => !isEvery && chosen.length === 0;
export const isSameEvents = (events: Events, types: readonly string[]): boolean =>
  typesOf(events).sort().join() === [...types].sort().join();
