import { type RefObject, useEffect, useRef, useState } from 'react';
import { holdRows, type HeldRows } from './live-rows';

type Reason = 'focus' | 'pointer' | 'scroll';

interface Held<Row> extends HeldRows<Row> {
  /** The element around the list. */
  readonly list: RefObject<HTMLDivElement | null>;
  readonly showNew: () => void;
}

/** Holds the rows of a live list still under the focus and the pointer, and once the page is scrolled. */
export function useHeldRows<Row extends { readonly id: string }>(
  fresh: readonly Row[],
  isLive: boolean,
): Held<Row> {
  const list = useRef<HTMLDivElement>(null);
  const latest = useRef(fresh);
  const [held, setHeld] = useState<readonly Row[] | null>(null);
  useEffect(() => {
    latest.current = fresh;
  }, [fresh]);
  useEffect(() => {
    const element = list.current;
    if (!isLive || element === null) return undefined;
    const stop = watchReader(element, (isHeld) =>
      setHeld((rows) => (isHeld ? (rows ?? latest.current) : null)),
    );
    return () => {
      stop();
      setHeld(null);
    };
  }, [isLive]);
  const showNew = () => setHeld((rows) => (rows === null ? null : latest.current));
  return { list, showNew, ...holdRows(isLive ? held : null, fresh) };
}

function watchReader(element: HTMLElement, onChange: (isHeld: boolean) => void): () => void {
  const reasons = new Set<Reason>();
  const stopped = new AbortController();
  const { signal } = stopped;
  const set = (reason: Reason, holds: boolean) => {
    if (holds === reasons.has(reason)) return;
    if (holds) reasons.add(reason);
    else reasons.delete(reason);
    onChange(reasons.size > 0);
  };
  element.addEventListener('focusin', () => set('focus', true), { signal });
  element.addEventListener('focusout', () => set('focus', false), { signal });
  element.addEventListener('pointerenter', () => set('pointer', true), { signal });
  element.addEventListener('pointerleave', () => set('pointer', false), { signal });
  document.addEventListener('scroll', () => set('scroll', window.scrollY > 0), { signal, passive: true });
  return () => stopped.abort();
}
