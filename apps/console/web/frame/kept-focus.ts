import { type RefObject, useEffect } from 'react';

/** A dialog that closes gives the focus back by itself, within this. */
const GIVEN_BACK_WITHIN_MS = 100;

/** The element that had the focus last, on whatever page. */
let focused: Element | null = null;

const isLost = (): boolean =>
  document.activeElement === document.body && focused !== null && !focused.checkVisibility();

/** Moves the focus to the page's heading when what had it is gone: a keyboard would start at the top of the document. */
export function useKeptFocus(heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let timer: number | undefined;
    const remember = ({ target }: FocusEvent) => {
      focused = target as Element;
    };
    const keep = () => {
      if (isLost()) heading.current?.focus({ preventScroll: true });
    };
    const look = () => {
      if (!isLost()) return;
      window.clearTimeout(timer);
      timer = window.setTimeout(keep, GIVEN_BACK_WITHIN_MS);
    };
    const observer = new MutationObserver(look);
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    look();
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
      window.clearTimeout(timer);
    };
  }, [heading]);
}
