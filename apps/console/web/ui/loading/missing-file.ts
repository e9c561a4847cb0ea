/** A page that was loaded anew so lately is not loaded anew once more by itself. */
const LATELY_MS = 60_000;

/** The texts of Chromium, Firefox, Safari and Vite where a file of the application cannot be loaded. */
const MISSING = /dynamically imported module|importing a module script failed|unable to preload css/i;

/** Whether a file of the application is missing: a tab that is older than an upgrade asks for files that are gone. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof Error && MISSING.test(error.message);

/** Loads the page anew, unless that was done just before. @returns whether it does. */
export function reloadOnce(): boolean {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const isReloaded = load?.type === 'reload' && performance.now() < LATELY_MS;
  if (!isReloaded) window.location.reload();
  return !isReloaded;
}
