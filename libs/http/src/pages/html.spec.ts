import fc from 'fast-check';
import { html, htmlText } from './html';

describe('html', () => {
  it('escapes values so that they cannot open a tag or an entity or leave their attribute', () => {
    const hostile = `"><script>alert('1')</script>&amp;`;
    expect(htmlText(html`<p title="${hostile}">${hostile}</p>`)).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;</p>',
    );
  });

  it('shows any text unchanged', () => {
    const decode = (escaped: string) =>
      escaped.replace(
        /&(?:lt|gt|quot|#39|amp);/g,
        (entity) => ({ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' })[entity]!,
      );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const escaped = htmlText(html`${value}`);
        expect(escaped).not.toMatch(/[<>"']/);
        expect(decode(escaped)).toBe(value);
      }),
    );
  });

  it('inserts markup, lists of markup and null without escaping', () => {
    const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
    expect(htmlText(html`${items}${null}${html`<hr />`}${7}`)).toBe('<li>a</li><li>&lt;b&gt;</li><hr />7');
  });
});
