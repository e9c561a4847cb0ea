// `npm run test:console-scale [-- --rows=1000000 --minutes=10]`: the console over a million real requests, and its live list for
// ten minutes. It prints what it measured beside what it may be, and fails where a figure is more.
import { parseArgs } from 'node:util';
import { build } from '../local/build.mjs';
import { step } from '../local/steps.mjs';
import { say } from '../local/workspace.mjs';
import { inventMonth, simulatedCatalog, simulatedCredentials } from './invented-month.mjs';
import { measureAnswers } from './scale/answers.mjs';
import { Bar } from './scale/bar.mjs';
import { measureList } from './scale/list.mjs';
import { measureLive } from './scale/live.mjs';
import { copyCalls } from './scale/stored-calls.mjs';
import { startService } from './service.mjs';
import { visit } from './visit.mjs';

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, minutes: { type: 'string', default: '10' } },
});
const rows = Number(values.rows);
const minutes = Number(values.minutes);
if (!(rows > 0 && minutes >= 0)) {
  say('Say how many: --rows=1000000 --minutes=10');
  process.exit(2);
}

await build();
const service = await startService({ catalog: await simulatedCatalog(), env: simulatedCredentials });
const bar = new Bar();
const end = () => void service.stop().finally(() => process.exit(1));
process.once('SIGTERM', end).once('SIGINT', end);
try {
  await step('calls of every kind', () => inventMonth(service));
  let stored = 0;
  await step(
    'copies of them',
    () => copyCalls(service, rows, (count) => (stored = count)),
    () => stored.toLocaleString('en-US'),
  );
  await step('answers of the API', () => measureAnswers(service, bar));
  const { context, close } = await visit(service);
  await step('the list in a browser', () => measureList(context, service, bar));
  if (minutes > 0) await step('the live list', () => measureLive(context, service, bar, minutes));
  await close();
} finally {
  await service.stop();
}
say(`\n${bar.table()}`);
process.exitCode = bar.isKept ? 0 : 1;
