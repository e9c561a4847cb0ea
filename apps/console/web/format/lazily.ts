/** Makes something when it is used first. The first `Intl` format of a kind costs a browser many milliseconds. */
export function lazily<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}
