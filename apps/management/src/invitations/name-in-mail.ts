const SHOWN_MAX = 64;
const NOTHING_LEFT = 'an organization';

/** Signs that mail programs take for addresses of pages and mailboxes: also the full stops of other scripts. */
const LINK_SIGNS = /[:/\\@<>]+|[.。．｡]+(?=[^\s.。．｡])/gu;

/**
 * The name of an organization as a mail to a stranger shows it. Whoever names an organization could otherwise have this
 * service mail a text and a link of theirs: so nothing in the name looks like a link, and it is cut.
 */
export function nameInMail(name: string): string {
  const harmless = name.replace(LINK_SIGNS, ' ').replace(/\s+/gu, ' ').trim();
  if (harmless === '') return NOTHING_LEFT;
  const characters = [...harmless];
  return characters.length <= SHOWN_MAX ? harmless : `${characters.slice(0, SHOWN_MAX).join('').trim()}…`;
}
