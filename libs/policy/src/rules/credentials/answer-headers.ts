/** The headers of a provider's answer, by their names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The header's value, of several the first; null where it is absent. */
export function headerIn(headers: AnswerHeaders, name: string): string | null {
  const value = headers[name];
  return (typeof value === 'string' ? value : value?.[0]) ?? null;
}
