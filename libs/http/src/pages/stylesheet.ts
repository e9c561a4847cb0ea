import { createHash } from 'node:crypto';
import { unescaped, type Html } from './html';

/** Rules of a stylesheet. It takes no values, so that data never gets into styles. */
export const css = ({ raw }: TemplateStringsArray): string => raw.join('');

interface Stylesheet {
  /** For the page's head. It is inline, so that a page needs no second request. */
  readonly element: Html;
  /** The source expression that allows exactly this stylesheet in a content security policy. */
  readonly source: string;
}

export function stylesheet(...rules: readonly string[]): Stylesheet {
  const text = rules.join('');
  return {
    // Not a template: white space from a formatter would change the hash.
    element: unescaped(`<style>${text}</style>`),
    source: `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  };
}
