/** Fields of a page's form that nobody sees. */
export const hiddenFields = (page: string): [string, string][] =>
  [...page.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
