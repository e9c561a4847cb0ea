/**
 * Characters that would not be seen, or that turn the direction of what follows them: controls, bidirectional marks,
 * zero-width spaces, the byte order mark. ZWJ and ZWNJ stay: emoji and several scripts need them.
 */
const HIDDEN = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;
const HIDDEN_BUT_LINES =
  /(?![\n\t])[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;

/** A name or an id with its hidden characters spelled out: U+202E becomes `⟨U+202E⟩`. */
export const visibleText = (text: string): string => text.replace(HIDDEN, spelledOut);

/** As {@link visibleText}, for a text of several lines: line breaks and tabs stay. */
export const visibleLines = (text: string): string => text.replace(HIDDEN_BUT_LINES, spelledOut);

const spelledOut = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
