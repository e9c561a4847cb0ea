/** True where a text of a path or a cursor can name a model: PostgreSQL takes no NUL, and no half of a character. */
export const isModelName = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text);
