/** Stands for the address of the console in a stored text. Who renders one leaves it out of names. */
export const CONSOLE = '\uE000';

/** A stored text with the console's address in its links. Whoever sends or shows it knows that address. */
export const withConsoleLinks = (text: string, baseUrl: string): string =>
  text.replaceAll(CONSOLE, new URL('/console/', baseUrl).href);
