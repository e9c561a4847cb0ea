const WITHOUT_VERSION =
  /^\/(chat\/completions|messages\/count_tokens|messages|responses|embeddings|models)(\/|$)/;

/**
 * The right path for a call whose base URL lacks `/v1` (docs/reference/inference-and-compatibility.md#routes); null for
 * any other path.
 */
export function missingVersion(path: string): string | null {
  const route = WITHOUT_VERSION.exec(path)?.[1];
  if (route === undefined) return null;
  return `Use \`/v1/${route}\`: the base URL of OpenAI’s SDKs ends with \`/v1\`, that of Anthropic’s has no path.`;
}
