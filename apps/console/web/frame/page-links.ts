import { useRouter, type AnyRoute } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { type Permission } from '../session/session';
import { useOrganization } from '../session/organization';
import { type Command, type Group } from './page-facts';

export interface PageLink {
  readonly path: string;
  readonly title: string;
  readonly group: Group;
  readonly icon: (() => ReactElement) | undefined;
  readonly badge: (() => ReactElement | null) | undefined;
}
interface CommandLink extends Command {
  readonly path: string;
}

/** The routes in the order of the table of pages. */
const routesOf = (router: ReturnType<typeof useRouter>): readonly AnyRoute[] =>
  (router.routeTree.children ?? []) as unknown as readonly AnyRoute[];

function useRoutes(): { routes: readonly AnyRoute[]; may: (permission: Permission | undefined) => boolean } {
  const { permissions } = useOrganization();
  const may = (permission: Permission | undefined) =>
    permission === undefined || permissions.includes(permission);
  return { routes: routesOf(useRouter()), may };
}

/** The pages of the navigation that the role may see. */
export function usePageLinks(): readonly PageLink[] {
  const { routes, may } = useRoutes();
  return routes.flatMap(({ fullPath, options: { staticData } }) => {
    const { title, group, icon, badge, permission } = staticData ?? {};
    if (title === undefined || group === undefined || !may(permission)) return [];
    return [{ path: fullPath as string, title, group, icon, badge }];
  });
}

/** Actions that pages offer to begin at once. */
export function useCommandLinks(): readonly CommandLink[] {
  const { routes, may } = useRoutes();
  return routes.flatMap(({ fullPath, options: { staticData } }) =>
    (staticData?.commands ?? [])
      .filter(({ permission }) => may(permission))
      .map((command) => ({ ...command, path: fullPath as string })),
  );
}

/** The pages that show one thing, by the kind of its id. */
export function useIdPaths(): readonly { readonly kind: string; readonly path: string }[] {
  const { routes, may } = useRoutes();
  return routes.flatMap(({ fullPath, options: { staticData } }) =>
    staticData?.opensIds !== undefined && may(staticData.permission)
      ? [{ kind: staticData.opensIds, path: fullPath as string }]
      : [],
  );
}
