import { createRouter } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from '../browser/address';
import { rootRoute } from '../frame/root-route';
import { NotFound, PageError, PagePending } from './page-states';
import { pages } from './pages';
import { Shell } from './shell/shell';

const routeTree = rootRoute.update({ component: Shell }).addChildren(pages);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  parseSearch,
  stringifySearch,
  search: { strict: true },
  trailingSlash: 'preserve',
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultPendingMinMs: 0,
  defaultErrorComponent: PageError,
  defaultPendingComponent: PagePending,
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
