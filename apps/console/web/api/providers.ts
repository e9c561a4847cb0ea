interface Served {
  readonly endpoints: readonly { readonly provider: string }[];
}

/** Each provider of the models once, by name. */
export const providersOf = (models: readonly Served[]): readonly string[] =>
  [...new Set(models.flatMap(({ endpoints }) => endpoints.map(({ provider }) => provider)))].sort();
