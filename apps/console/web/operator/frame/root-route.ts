import { createRootRoute } from '@tanstack/react-router';

/** The parent of every page's route. The router has the shell drawn for it. */
export const rootRoute = createRootRoute();
