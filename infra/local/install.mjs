// `node infra/local/install.mjs [--omit=dev]`: installs what is missing, for callers that are no Node.js program.
import { install } from './installation.mjs';

await install({ isForDevelopment: !process.argv.includes('--omit=dev') });
