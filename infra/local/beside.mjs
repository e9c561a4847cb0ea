// `node infra/local/beside.mjs <command>`: runs a command that takes only the processor that others leave.
import { run } from './processes.mjs';

const [command, ...args] = process.argv.slice(2);
process.exitCode = await run(command, args, {
  yields: true,
  onOutput: (chunk) => process.stdout.write(chunk),
});
