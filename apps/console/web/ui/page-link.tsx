import { Link, useRouter, type AnyRoute } from '@tanstack/react-router';
import { type ReactElement, type ReactNode } from 'react';
import { useOrganization } from '../session/organization';

interface PageLinkProps {
  /** The page by its path below `/console`, as its route declares it: `/requests/$requestId`. */
  readonly to: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly search?: Readonly<Record<string, string | undefined>>;
  readonly children: ReactNode;
}

/** A link to another page; its text alone where there is no such page, or the role may not see it. */
export function PageLink({ to, params = {}, search = {}, children }: PageLinkProps): ReactElement {
  const { routesByPath } = useRouter();
  const { permissions } = useOrganization();
  const route = (routesByPath as Readonly<Record<string, AnyRoute | undefined>>)[to];
  const permission = route?.options.staticData?.permission;
  if (route === undefined || (permission !== undefined && !permissions.includes(permission)))
    return <>{children}</>;
  // Which route it is, and so the types of its parameters, is known only here.
  const target: object = { params, search };
  return (
    <Link to={to} {...target}>
      {children}
    </Link>
  );
}
