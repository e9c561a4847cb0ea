/** The addresses and ranges of a text, one a line; commas and spaces divide them too. The API says which is none. */
export const addressesIn = (typed: string): string[] => [
  ...new Set(typed.split(/[\s,]+/).filter((address) => address !== '')),
];
