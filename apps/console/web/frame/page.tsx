import { useRouterState } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { visibleText } from '../format/visible-text';
import { useOrganization } from '../session/organization';
import { AsOf } from '../ui/states/states';
import { useKeptFocus } from './kept-focus';
import styles from './page.module.css';
import { useStaleSince } from './stale-since';

export interface PageProps {
  /** The `h1`, and the start of the document's title. */
  readonly title: string;
  /** Above the title, the page that this one belongs to: a link. */
  readonly parent?: ReactNode;
  /** One line that says what the page is for, or the state of the one thing that it shows. */
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The path that has had the focus last: the first page of a visit leaves the focus to the browser. */
let focusedPath: string | null = null;

/** The frame of every page of the console. */
export function Page(props: PageProps): ReactElement {
  const { name } = useOrganization();
  return <PageFrame place={visibleText(name)} {...props} />;
}

/**
 * The frame of a page. A navigation moves the focus to its heading. What could not be read again says so below it.
 * `place`, in the document's title, is the organization or the application that the page belongs to.
 */
export function PageFrame(props: PageProps & { readonly place: string }): ReactElement {
  const { title, parent, subtitle, actions, children, place } = props;
  const path = useRouterState({
    select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).pathname,
  });
  const heading = useRef<HTMLHeadingElement>(null);
  useKeptFocus(heading);
  const shown = visibleText(title);
  const staleSince = useStaleSince();
  useEffect(() => {
    document.title = `${shown} · ${place} · Svc`;
  }, [shown, place]);
  useEffect(() => {
    if (focusedPath !== null && focusedPath !== path) heading.current?.focus({ preventScroll: true });
    focusedPath = path;
  }, [path]);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div className={styles.titles}>
          {parent !== undefined && <div className={styles.parent}>{parent}</div>}
          <h1 ref={heading} tabIndex={-1}>
            {shown}
          </h1>
          {subtitle !== undefined && <div className={styles.subtitle}>{subtitle}</div>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {staleSince !== null && <AsOf at={new Date(staleSince).toISOString()} />}
      {children}
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page on a surface of its own, with an `h2`. */
export function Section({ title, actions, children }: SectionProps): ReactElement {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

/** Facts of one thing, a term and its value a line. */
export function Facts({
  of,
}: {
  readonly of: readonly (readonly [term: string, value: ReactNode])[];
}): ReactElement {
  return (
    <dl className={styles.facts}>
      {of.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
