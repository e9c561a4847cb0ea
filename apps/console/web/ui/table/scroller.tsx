import { type ReactElement, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import styles from './data-table.module.css';

/** A region that scrolls sideways where its table is too wide. It is a tab stop only then. */
export function Scroller({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ReactNode;
}): ReactElement {
  const root = useRef<HTMLDivElement>(null);
  const [doesScroll, setDoesScroll] = useState(false);
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return undefined;
    const measure = () => setDoesScroll(element.scrollWidth > element.clientWidth + 1);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={root}
      className={styles.scroller}
      data-scrolls={doesScroll || undefined}
      {...(doesScroll && { role: 'region', 'aria-label': label, tabIndex: 0 })}
    >
      {children}
    </div>
  );
}
