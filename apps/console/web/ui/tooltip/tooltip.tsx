import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import { type ReactElement, useEffect, useId, useState } from 'react';
import styles from './tooltip.module.css';

const DELAY_MS = 350;

interface Shown {
  readonly anchor: Element;
  readonly text: string;
}

/**
 * The one tooltip of the console: it shows the `data-tip` of whatever is pointed at or has the focus, so that a list of
 * a thousand amounts costs nothing more. Escape hides it (WCAG 1.4.13).
 */
export function Tooltips(): ReactElement {
  const [shown, setShown] = useState<Shown | null>(null);
  const id = useId();
  useEffect(() => followTips(setShown), []);
  useEffect(() => {
    if (shown === null) return undefined;
    const { anchor } = shown;
    const before = anchor.getAttribute('aria-describedby');
    // A button's name is its tooltip already; saying it twice helps nobody.
    if (anchor.getAttribute('aria-label') === shown.text) return undefined;
    anchor.setAttribute('aria-describedby', before === null ? id : `${before} ${id}`);
    return () =>
      before === null
        ? anchor.removeAttribute('aria-describedby')
        : anchor.setAttribute('aria-describedby', before);
  }, [shown, id]);
  return (
    <BaseTooltip.Root open={shown !== null} onOpenChange={(isOpen) => !isOpen && setShown(null)}>
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner className={styles.positioner} anchor={shown?.anchor ?? null} sideOffset={6}>
          <BaseTooltip.Popup id={id} role="tooltip" className={styles.popup}>
            {shown?.text}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  );
}

/** Follows pointer and focus over the document. @returns what stops it. */
function followTips(show: (shown: Shown | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const plan = (anchor: Element | null, delayMs: number): void => {
    clearTimeout(timer);
    const text = anchor?.getAttribute('data-tip') ?? null;
    if (anchor === null || text === null) show(null);
    else timer = setTimeout(() => show({ anchor, text }), delayMs);
  };
  const stop = new AbortController();
  const on = (type: string, listener: (event: Event) => void): void =>
    document.addEventListener(type, listener, { signal: stop.signal, passive: true });
  on('pointerover', ({ target }) => plan(tipAt(target), DELAY_MS));
  on('pointerdown', () => plan(null, 0));
  on('focusin', ({ target }) => plan(tipOfFocus(target), 0));
  on('focusout', () => plan(null, 0));
  on('keydown', (event) => (event as KeyboardEvent).key === 'Escape' && plan(null, 0));
  on('scroll', () => plan(null, 0));
  return () => {
    clearTimeout(timer);
    stop.abort();
  };
}

const tipAt = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest('[data-tip]') : null;

/** A row in focus shows its time, which is no tab stop of its own. A press of a pointer asks for no tooltip. */
function tipOfFocus(target: EventTarget | null): Element | null {
  if (!(target instanceof Element) || !target.matches(':focus-visible')) return null;
  return target.matches('[data-row]') ? target.querySelector('time[data-tip]') : tipAt(target);
}
