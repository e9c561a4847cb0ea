/** The hidden fields of a page's form. */
export const hiddenFields = (page: string): [string, string][] =>
  [...page.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
