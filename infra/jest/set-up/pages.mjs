// Jest's global set-up of the specs that look at pages: built services with their documents, the browser code, and a browser.
import { build } from '../../local/build.mjs';
import { provideDocuments } from '../../local/generated.mjs';
import { startBrowserOfThisRun } from './browser-of-this-run.mjs';
import services from './services.mjs';

export default async function setUp() {
  await build();
  await provideDocuments();
  await services();
  process.env.SVC_TEST_BROWSER ??= await startBrowserOfThisRun();
}
