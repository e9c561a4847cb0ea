/** Joins nothing and is not seen. It keeps what stands on both sides of it from being read as one sign. */
const BREAK = '\u200b';

/**
 * A text that a customer chose, as one line without anything that a chat service acts on: no mention (`@channel`), no
 * link (`https://…`, `example.com`, `[text](url)`, `~channel`), no invisible or direction-changing character. What people
 * read stays the same.
 */
export const harmless = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cs}]/gu, '')
    .replace(/@/g, `@${BREAK}`)
    .replace(/\](?=[([:])/g, `]${BREAK}`)
    .replace(/:(?=\/)/g, `:${BREAK}`)
    .replace(/[#~](?=\S)/g, `$&${BREAK}`)
    .replace(/\.(?=\p{L})/gu, `.${BREAK}`);

/** At most so many UTF-16 units, without half a character at the end. */
export const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
