// The chart of the page: two groups of bars.
import { escaped, STYLE } from '../report/chart.mjs';
import { dollars, percent } from './page.mjs';

const WIDTH = 760;
const LABEL_WIDTH = 270;
const VALUE_WIDTH = 80;
const ROW_HEIGHT = 22;
const BAR_HEIGHT = 14;
const TOP = 72;
const GROUP_GAP = 14;
const TITLE = 'Conversations over five accounts';

/** @returns an SVG that is readable on light and dark pages. */
export function chartOf({ rows, sessions, turns }) {
  const dearest = Math.max(...rows.map(({ dollars: paid }) => paid));
  const groups = [
    groupOf('Prompt tokens from the cache', rows, 'cachedShare', 1, percent),
    groupOf('Dollars a session', rows, 'dollars', dearest, dollars),
  ];
  let y = TOP;
  const drawn = groups.flatMap(({ title, bars }) => {
    const lines = [`<text x="16" y="${y + 11}">${title}</text>`];
    y += ROW_HEIGHT;
    for (const bar of bars) {
      lines.push(drawBar(bar, y));
      y += ROW_HEIGHT;
    }
    y += GROUP_GAP;
    return lines;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-label="${TITLE}">
<style>${STYLE}
</style>
<rect class="surface" width="${WIDTH}" height="${y}" rx="6"/>
<text class="title" x="16" y="28">${TITLE}</text>
<text class="quiet" x="16" y="47">${sessions} conversations of ${turns} turns.</text>
${drawn.join('\n')}
</svg>
`;
}

const groupOf = (title, rows, figure, most, shown) => ({
  title,
  bars: rows.map(({ name, label, [figure]: value }) => ({
    look: name === 'svc' ? 'svc' : 'peer',
    label,
    share: value / most,
    shown: shown(value),
  })),
});

function drawBar({ look, label, share, shown }, y) {
  const width = share * (WIDTH - LABEL_WIDTH - VALUE_WIDTH);
  return [
    `<text class="quiet" x="${LABEL_WIDTH - 8}" y="${y + 11}" text-anchor="end">${escaped(label)}</text>`,
    `<rect class="${look}" x="${LABEL_WIDTH}" y="${y}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" rx="2"/>`,
    `<text class="value" x="${(LABEL_WIDTH + width + 8).toFixed(1)}" y="${y + 12}">${shown}</text>`,
  ].join('');
}
