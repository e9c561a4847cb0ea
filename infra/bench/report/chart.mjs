// The chart of the report: calls per core in each scenario, relative to the bare proxy.

const WIDTH = 760;
const LABEL_WIDTH = 250;
const VALUE_WIDTH = 60;
const ROW_HEIGHT = 22;
const BAR_HEIGHT = 14;
const GROUP_GAP = 12;
const TOP = 84;
const BOTTOM = 16;
const LEAST_SPAN = 1.1;
/** What the others are compared with. */
const BASELINES = ['direct', 'bare'];

/** Of a chart that is readable on light and dark pages: Svc is blue, others are grey. */
export const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-size: 16px; font-weight: 600 }
  .quiet { fill: #59636e; font-size: 12px }
  .surface { fill: #ffffff }
  .value { paint-order: stroke; stroke: #ffffff; stroke-width: 4px }
  .svc { fill: #2a78d6 }
  .peer { fill: #8c959f }
  .line { stroke: #59636e; stroke-dasharray: 3 3 }
  .range { stroke: #1f2328; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc }
    .quiet { fill: #9198a1 }
    .surface { fill: #0d1117 }
    .value { stroke: #0d1117 }
    .svc { fill: #4a97f0 }
    .peer { fill: #6e7681 }
    .line { stroke: #9198a1 }
    .range { stroke: #f0f6fc }
  }`;

/** @returns an SVG that is readable on light and dark pages. */
export function chartOf({ scenarios }) {
  const groups = scenarios
    .filter(({ baseline, hidden = [] }) => baseline === 'bare' && !hidden.includes('callsPerCoreSecond'))
    .map(({ title, rows }) => ({ title, bars: barsOf(rows) }))
    .filter(({ bars }) => bars.length > 0);
  const most = Math.max(LEAST_SPAN, ...groups.flatMap(({ bars }) => bars.map(({ ratio }) => ratio.max)));
  const x = (value) => LABEL_WIDTH + (value / most) * (WIDTH - LABEL_WIDTH - VALUE_WIDTH);
  const drawn = [];
  let y = TOP;
  for (const { title, bars } of groups) {
    drawn.push(`<text x="16" y="${y + 11}">${escaped(title)}</text>`);
    y += ROW_HEIGHT - 2;
    for (const bar of bars) {
      drawn.push(drawBar(bar, x, y));
      y += ROW_HEIGHT;
    }
    y += GROUP_GAP;
  }
  const height = y + BOTTOM;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="What a core serves, beside the bare proxy">
<style>${STYLE}
</style>
<rect class="surface" width="${WIDTH}" height="${height}" rx="6"/>
<text class="title" x="16" y="28">What a core serves, beside the bare proxy</text>
<text class="quiet" x="16" y="47">Calls for the same CPU time; the bare Fastify + undici proxy, or a bare server that refuses, is 1.00.</text>
<text class="quiet" x="${x(1)}" y="${TOP - 14}" text-anchor="middle">bare proxy</text>
<line class="line" x1="${x(1)}" y1="${TOP - 8}" x2="${x(1)}" y2="${height - BOTTOM}"/>
${drawn.join('\n')}
</svg>
`;
}

const barsOf = (rows) =>
  rows
    .filter(({ candidate, ratios }) => !BASELINES.includes(candidate) && ratios.callsPerCoreSecond)
    .map(({ candidate, label, ratios }) => ({ candidate, label, ratio: ratios.callsPerCoreSecond }));

function drawBar({ candidate, label, ratio }, x, y) {
  const middle = y + BAR_HEIGHT / 2;
  const end = Math.max(x(ratio.median), x(ratio.max)) + 8;
  return [
    `<text class="quiet" x="${LABEL_WIDTH - 8}" y="${y + 11}" text-anchor="end">${escaped(short(label))}</text>`,
    `<rect class="${candidate === 'svc' ? 'svc' : 'peer'}" x="${x(0)}" y="${y}" width="${(x(ratio.median) - x(0)).toFixed(1)}" height="${BAR_HEIGHT}" rx="2"/>`,
    `<line class="range" x1="${x(ratio.min).toFixed(1)}" y1="${middle}" x2="${x(ratio.max).toFixed(1)}" y2="${middle}"/>`,
    `<text class="value" x="${end.toFixed(1)}" y="${y + 12}">${ratio.median.toFixed(2)}</text>`,
  ].join('');
}

const LABEL_CHARACTERS = 36;
const short = (label) => {
  const plain = label.replace('@portkey-ai/gateway', 'Portkey').replace(/^Svc, (.)/, 'Svc: $1');
  return plain.length > LABEL_CHARACTERS ? `${plain.slice(0, LABEL_CHARACTERS - 1)}…` : plain;
};

/** As text of XML. */
export const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
