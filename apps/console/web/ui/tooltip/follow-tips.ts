export interface ShownTip {
  readonly anchor: Element;
  readonly text: string;
}

const DELAY_MS = 350;

/** Follows pointer and focus over the document. @returns what stops it. */
export function followTips(show: (tip: ShownTip | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  // A reason may end, and a time go on, while it is shown.
  const changes = new MutationObserver(([change]) => plan(change?.target as Element, 0));
  const plan = (anchor: Element | null, delayMs: number): void => {
    clearTimeout(timer);
    changes.disconnect();
    const text = anchor?.getAttribute('data-tip') ?? null;
    if (anchor === null || text === null) {
      show(null);
      return;
    }
    changes.observe(anchor, { attributeFilter: ['data-tip'] });
    timer = setTimeout(() => show({ anchor, text }), delayMs);
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
  // This code comes after the page, and the focus may be there by then.
  plan(tipOfFocus(document.activeElement), 0);
  return () => {
    clearTimeout(timer);
    changes.disconnect();
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
