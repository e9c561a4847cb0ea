/** An id of the same kind that nothing has: the given one with another last character, whatever that was. */
export const unmadeId = (id: string): string => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');
