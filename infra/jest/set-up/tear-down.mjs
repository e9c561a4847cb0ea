// Jest's global tear-down: ends what the set-ups of this run started, the last first.
import { endAll } from './ended-with-the-run.mjs';

export default endAll;
