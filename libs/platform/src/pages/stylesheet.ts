import { createHash } from 'node:crypto';
import { unescaped, type Html } from './html';

/** Rules of a stylesheet. It takes no values: what a page is about never styles it. */
export const css = ({ raw }: TemplateStringsArray): string => raw.join('');

export interface Stylesheet {
  /** For the page's head. Inline, so that a page is one answer. */
  readonly element: Html;
  /** The source expression that lets it through a content security policy, and nothing else. */
  readonly source: string;
}

export function stylesheet(...rules: readonly string[]): Stylesheet {
  const text = rules.join('');
  return {
    // In one piece: a space that a formatter puts into the markup would change the hash.
    element: unescaped(`<style>${text}</style>`),
    source: `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  };
}
