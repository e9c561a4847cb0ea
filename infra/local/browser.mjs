import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { addPackages, isRootOfDebian } from './servers/programs.mjs';
import { toolStep } from './steps.mjs';
import { say, systemPath } from './workspace.mjs';

/** First the one that has no window to draw: pages take half the time of a processor in it. */
const NAMES = [
  ...['chromium-headless-shell', 'chrome-headless-shell', 'chromium', 'chromium-browser'],
  ...['google-chrome', 'google-chrome-stable', 'chrome'],
];
/** Of Debian. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];
const OF_MAC = ['Chromium', 'Google Chrome'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

/** How a person gets one. */
export const HOW_TO_GET_A_BROWSER =
  'no browser. Debian: apt-get install chromium. Elsewhere: install Chrome, or set CHROMIUM_PATH';

/**
 * The path of a browser for specs and pictures: the one of CHROMIUM_PATH, or one that the machine has, or one that this
 * installs. @returns null where none can be had.
 */
export async function provideBrowser() {
  return process.env.CHROMIUM_PATH || ((await findBrowser()) ?? (await installBrowser()));
}

/** Starts it, headless. @returns what Playwright launched. @throws Error that says how to get one. */
export async function launchBrowser() {
  const executablePath = await provideBrowser();
  if (executablePath === null) throw new Error(HOW_TO_GET_A_BROWSER);
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

async function findBrowser() {
  const folders = systemPath.split(delimiter);
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...onPath, ...OF_MAC, await ofPlaywright()].find(isProgramFile) ?? null;
}

/** Where Playwright's own browser is once it is installed. */
async function ofPlaywright() {
  const { chromium } = await import('playwright-core');
  return chromium.executablePath();
}

/** By the system's packages where this runs as root on Debian, else by Playwright. */
async function installBrowser() {
  const ways = [
    ...(isRootOfDebian() ? PACKAGES.map((name) => () => addPackages([name])) : []),
    installPlaywrights,
  ];
  for (const install of ways) {
    try {
      await install();
    } catch ({ message }) {
      // The output of a tool before it is long.
      say(message.split('\n').at(-1));
      continue;
    }
    const found = await findBrowser();
    if (found !== null) return found;
  }
  return null;
}

const installPlaywrights = () =>
  toolStep('installing Playwright’s browser', 'playwright-core', ['install', 'chromium']);

function isProgramFile(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
