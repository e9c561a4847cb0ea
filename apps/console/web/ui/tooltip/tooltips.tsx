import { type ReactElement, useEffect, useLayoutEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { usePopupContainer } from '../popup-container';
import { followTips, type ShownTip } from './follow-tips';
import styles from './tooltips.module.css';

const GAP = 6;

/**
 * The one tooltip: it shows the `data-tip` of whatever is pointed at or has the focus, so that a list of a thousand amounts costs
 * nothing more. Escape hides it (WCAG 1.4.13). It is placed by hand, which takes a tenth of the code of a popup that follows its anchor.
 */
export function Tooltips(): ReactElement {
  const [tip, setTip] = useState<ShownTip | null>(null);
  const popup = useRef<HTMLDivElement>(null);
  const container = usePopupContainer();
  const id = useId();
  useEffect(() => followTips(setTip), []);
  useLayoutEffect(() => {
    const element = popup.current;
    if (tip === null || element === null) return undefined;
    element.showPopover();
    place(element, tip.anchor.getBoundingClientRect());
    const undescribe = describe(tip, id);
    return () => {
      element.hidePopover();
      undescribe();
    };
  }, [tip, id]);
  const shown = (
    <div ref={popup} id={id} role="tooltip" popover="manual" className={styles.tip}>
      {tip?.text}
    </div>
  );
  return container === null ? shown : createPortal(shown, container);
}

/** Below its anchor, or above it where there is no room; within the window. */
function place(popup: HTMLElement, anchor: DOMRect): void {
  const { width, height } = popup.getBoundingClientRect();
  const { innerWidth, innerHeight } = window;
  const isBelow = anchor.bottom + GAP + height <= innerHeight;
  const left = anchor.left + anchor.width / 2 - width / 2;
  popup.style.top = `${String(isBelow ? anchor.bottom + GAP : Math.max(0, anchor.top - GAP - height))}px`;
  popup.style.left = `${String(Math.max(GAP, Math.min(left, innerWidth - width - GAP)))}px`;
}

/** @returns what takes the description back. A name that is its own tooltip would be said twice. */
function describe({ anchor, text }: ShownTip, id: string): () => void {
  if (anchor.getAttribute('aria-label') === text) return () => undefined;
  const before = anchor.getAttribute('aria-describedby');
  anchor.setAttribute('aria-describedby', before === null ? id : `${before} ${id}`);
  return () =>
    before === null
      ? anchor.removeAttribute('aria-describedby')
      : anchor.setAttribute('aria-describedby', before);
}
