import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { showStatus } from '../../browser/status-store';
import { isMissingFile, reloadOnce } from './missing-file';

const MISSING = 'A part of the console could not be loaded. Reload the page to try again.';

/**
 * A part whose code is loaded when it is shown first. Where the code is missing, the page is loaded anew once; if that
 * does not help, the part is absent and a message says so.
 */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      if (isMissingFile(error) && reloadOnce()) return new Promise(() => undefined);
      showStatus(MISSING);
      return { default: Absent };
    }
  });

const Absent = (): null => null;
