import { type IdKind } from '@svc/kernel';
import { type ReactElement } from 'react';
import { type Permission } from '../session/session';

/** The groups of the navigation, in its order. */
export const groups = {
  use: 'Use',
  control: 'Control',
  money: 'Money',
  connect: 'Connect',
  organization: 'Organization',
} as const;
export type Group = keyof typeof groups;

export interface Command {
  /** `Create key`. */
  readonly label: string;
  readonly permission: Permission;
  /** The search parameters of the page that it opens. */
  readonly search: Readonly<Record<string, string>>;
}

declare module '@tanstack/react-router' {
  /** The facts of a page for the shell, in the `staticData` of its route. */
  interface StaticDataRouteOption {
    /** Its name in the navigation. */
    readonly title?: string;
    /** Where the navigation lists it; a page without a group, of one thing for example, is reached by links. */
    readonly group?: Group;
    readonly icon?: () => ReactElement;
    /** Beside its name in the navigation: how much waits there. */
    readonly badge?: () => ReactElement | null;
    /** Without it the page is absent, and its address says so. */
    readonly permission?: Permission;
    /** The things that the role cannot see, in that sentence: `the audit log`. */
    readonly what?: string;
    /** Its page lists open incidents itself: there, the banner of the other pages would say them twice. */
    readonly listsIncidents?: boolean;
    /** The kind of the id that ends its path: the command menu opens it. */
    readonly opensIds?: IdKind;
    readonly commands?: readonly Command[];
  }
}
