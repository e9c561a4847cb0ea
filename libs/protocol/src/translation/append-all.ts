/** `push` for lists of any length: spread arguments must fit on the stack. */
export function appendAll<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item);
}
