import 'reflect-metadata';
import { startAllInOne } from './start';

// A start that fails says why in one line; a stack trace would hide it.
startAllInOne().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
