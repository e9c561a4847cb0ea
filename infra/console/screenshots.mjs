// `npm run screenshots`: pictures of the console for docs/console, of an invented organization's month.
// `npm run screenshots -- overview` takes one of them; `--wide=375 --scheme=dark --to=artifacts` looks at others.
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../local/build.mjs';
import { root, say } from '../local/workspace.mjs';
import { inventMonth, simulatedCatalog, simulatedCredentials } from './invented-month.mjs';
import { shots } from './shots.mjs';
import { startService } from './service.mjs';
import { settled, visit } from './visit.mjs';

const BYTES_MAX = 200_000;
/** Height of the picture of a long page. */
const HEIGHT_MAX = 1_300;
/** Of a short one. */
const HEIGHT = 800;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    wide: { type: 'string', default: '1280' },
    scheme: { type: 'string', default: 'light' },
    to: { type: 'string', default: 'docs/console' },
  },
});
const unknown = positionals.filter((wanted) => !shots.some(({ name }) => name === wanted));
if (unknown.length > 0) {
  say(`There is no picture ${unknown.join(', ')}. They are ${shots.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}
const wanted = shots.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const folder = join(root, values.to);

await build();
await mkdir(folder, { recursive: true });
const service = await startService({
  catalog: await simulatedCatalog(),
  // A job that is trained for a picture ends within seconds.
  env: { ...simulatedCredentials, SVC_FINE_TUNING_POLL_SECONDS: '1' },
});
try {
  const made = await inventMonth(service);
  const { page, close } = await visit(service, {
    colorScheme: values.scheme,
    timezoneId: 'UTC',
  });
  for (const shot of wanted) await take(page, shot, made);
  await close();
} finally {
  await service.stop();
}

async function take(
  page,
  { name, application = 'console', path, prepare, height: highest = HEIGHT_MAX },
  made,
) {
  const width = Number(values.wide);
  await page.setViewportSize({ width, height: HEIGHT });
  await page.goto(`${service.base_url}/${application}${path}`);
  await settled(page);
  await prepare?.(page, { ...made, service });
  await settled(page);
  const file = join(folder, `${name}.png`);
  // Elements that stay in view while a page is scrolled have the whole picture's height.
  const height = Math.min(await page.evaluate(() => document.documentElement.scrollHeight), highest);
  await page.setViewportSize({ width, height });
  await page.screenshot({ path: file, animations: 'disabled' });
  const { size } = await stat(file);
  say(`${file}: ${Math.ceil(size / 1_000)} kB`);
  if (size > BYTES_MAX) {
    say(`It is larger than ${BYTES_MAX / 1_000} kB.`);
    process.exitCode = 1;
  }
}
