/** The arguments of a tool call as text. Several servers send them as a JSON value instead. */
export function jsonTextOf(argumentsOrInput: unknown): string {
  if (typeof argumentsOrInput === 'string') return argumentsOrInput;
  return argumentsOrInput === null || argumentsOrInput === undefined ? '' : JSON.stringify(argumentsOrInput);
}
