// Installs what is missing, for callers that are no Node.js program.
import { install } from './installation.mjs';

await install();
