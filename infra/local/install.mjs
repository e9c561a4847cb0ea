// Installs what is missing, for callers that are no Node.js program.
import { install } from './workspace.mjs';

await install();
