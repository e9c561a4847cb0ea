/** Names with commas or lines between them. */
export const namesIn = (typed: string): string[] => [
  ...new Set(
    typed
      .split(/[,\n]/)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];
