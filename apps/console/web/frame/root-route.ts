import { createRootRoute, retainSearchParams } from '@tanstack/react-router';
import { sharedAddress } from '../browser/dropped-parameters';
import './page-facts';

/** The parent of every page's route. The router has the shell drawn for it. */
export const rootRoute = createRootRoute({
  validateSearch: sharedAddress,
  search: { middlewares: [retainSearchParams(['org'])] },
});
