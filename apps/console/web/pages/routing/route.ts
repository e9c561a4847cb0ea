import { createRoute } from '@tanstack/react-router';
import { idOf, oneOf, several, text } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { operations } from '../../calls/operations';
import { rootRoute } from '../../frame/root-route';
import { RoutingIcon } from '../../ui/icons/icons';
import { ownerParameters } from './owner';

/**
 * `/console/routing`: which endpoints calls may use, in which order. `level` says whose policy is shown, with the `project` or `key` that
 * has it; `effective` shows what all of them make together.
 */
export const routingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/routing',
  validateSearch: address({
    level: oneOf('organization', 'project', 'key', 'effective'),
    ...ownerParameters,
    tab: oneOf('json'),
    model: text,
    route: oneOf(...operations),
    mode: oneOf('strict'),
    parameters: several(text),
  }),
  staticData: {
    title: 'Routing',
    group: 'control',
    icon: RoutingIcon,
    permission: 'policy:read',
    what: 'the routing policy',
  },
});

/** `/console/routing/versions/pol_…`: one version, of the organization unless it names a project or a key; `before` is the one that it replaced. */
export const policyVersionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/routing/versions/$policyId',
  validateSearch: address({ before: idOf('policy'), ...ownerParameters }),
  staticData: {
    title: 'Policy version',
    permission: 'policy:read',
    what: 'the routing policy',
    opensIds: 'policy',
  },
});
