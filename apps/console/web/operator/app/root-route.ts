import { createRootRoute } from '@tanstack/react-router';
import { Shell } from './shell';

/** The parent of every page's route. */
export const rootRoute = createRootRoute({ component: Shell });
