/** `push` for lists of any length: the arguments of a call have to fit on the stack. */
export function appendAll<T>(list: T[], items: readonly T[]): void {
  for (const item of items) list.push(item);
}
