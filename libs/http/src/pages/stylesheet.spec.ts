import { createHash } from 'node:crypto';
import { htmlText } from './html';
import { css, stylesheet } from './stylesheet';

describe('a stylesheet', () => {
  it('is allowed by the hash of its exact content', () => {
    const rules = css`
      b::after {
        content: '\2014 <&';
      }
    `;
    const { element, source } = stylesheet(rules, rules);
    const [, text = ''] = /^<style>([^]*)<\/style>$/.exec(htmlText(element)) ?? [];
    expect(text).toBe(rules + rules);
    expect(text).toContain(String.raw`content: '\2014 <&'`);
    expect(source).toBe(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  });
});
