// A prepared service for `npm run dev`: it loads the packages, which do not change, and on a message the current
// sources.
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const dist = join(__dirname, '../../dist');
const PACKAGE = /^const .*\brequire\("([^."][^"]*)"\)/gm;

const packages = readdirSync(dist, { recursive: true })
  .filter((file) => file.endsWith('.js') && !/\b(testing|e2e)\b/.test(file))
  .flatMap((file) =>
    Array.from(readFileSync(join(dist, file), 'utf8').matchAll(PACKAGE), ([, name]) => name),
  );
for (const name of new Set(packages)) require(name);

const end = () => process.exit();
process.once('disconnect', end);
process.once('message', () => {
  process.off('disconnect', end);
  process.disconnect();
  require(join(dist, 'apps/all-in-one/src/main.js'));
});
