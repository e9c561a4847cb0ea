import { HOW_TO_GET_A_BROWSER, provideBrowser } from '../../local/browser.mjs';
import { say } from '../../local/workspace.mjs';
import { endWithTheRun } from './ended-with-the-run.mjs';

/**
 * Starts the one browser of this run, to which spec files connect: a launch for each would take longer than most tests.
 * @returns its address, or an empty text where no browser can be had; then this says so, as the end of `npm test` does.
 */
export async function startBrowserOfThisRun() {
  const executablePath = await provideBrowser();
  if (executablePath === null) {
    say(`NOT RUN page specs: ${HOW_TO_GET_A_BROWSER}`);
    return '';
  }
  const { chromium } = await import('playwright-core');
  const server = await chromium.launchServer({
    executablePath,
    host: '127.0.0.1',
    args: ['--no-sandbox'],
  });
  endWithTheRun(() => server.close());
  return server.wsEndpoint();
}
