/** Another id of the same kind, which nothing has: the given one with another last character. */
export const unusedId = (id: string): string => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');
