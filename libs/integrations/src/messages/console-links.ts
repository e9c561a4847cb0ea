/** Stands for the address of the console. No name can hold it: private characters are left out of them. */
export const CONSOLE = '\uE000';

/** A rendered body with the console's address in its links. Whoever sends or shows a body knows that address. */
export const withConsoleLinks = (body: string, baseUrl: string): string =>
  body.replaceAll(CONSOLE, new URL('/console/', baseUrl).href);
