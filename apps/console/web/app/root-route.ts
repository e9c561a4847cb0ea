import { createRootRoute, retainSearchParams } from '@tanstack/react-router';
import { sharedAddress } from './dropped-parameters';
import './page-facts';
import { Shell } from './shell/shell';

/** The parent of every page's route. */
export const rootRoute = createRootRoute({
  validateSearch: sharedAddress,
  search: { middlewares: [retainSearchParams(['org'])] },
  component: Shell,
});
