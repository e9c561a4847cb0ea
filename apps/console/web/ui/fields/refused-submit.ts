import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { focusField, foundBy, nameOf, WRONG, wrongFieldsIn, type FoundBy } from './wrong-fields';

const NONE: readonly string[] = [];
/** Whose errors move the focus after a submit. Once somebody types again, only the API's do: its answer was still due. */
const afterSubmit: readonly FoundBy[] = ['form', 'api'];
const whileTyping: readonly FoundBy[] = ['api'];

interface RefusedSubmit {
  readonly form: RefObject<HTMLFormElement | null>;
  /** The names of the fields that the last submit was refused for, in the order of the page. Empty once all are mended. */
  readonly names: readonly string[];
  /** To be called after each submit. */
  readonly submitted: () => void;
}

/**
 * After a refused submit, moves the focus to the first field with an error, and returns the names of all of them. The form
 * finds errors at once, the API later.
 */
export function useRefusedSubmit(): RefusedSubmit {
  const form = useRef<HTMLFormElement>(null);
  const awaited = useRef<readonly FoundBy[]>([]);
  const [names, setNames] = useState(NONE);

  const moveToErrors = useCallback((by: readonly FoundBy[]) => {
    const wrong = form.current === null ? [] : wrongFieldsIn(form.current);
    const [first] = wrong;
    if (first === undefined) {
      setNames(NONE);
      return;
    }
    const found = wrong.map(foundBy);
    if (!by.some((one) => awaited.current.includes(one) && found.includes(one))) return;
    awaited.current = [];
    setNames(wrong.map(nameOf));
    focusField(first);
  }, []);

  useEffect(() => {
    const element = form.current;
    if (element === null) return undefined;
    const type = () => {
      awaited.current = awaited.current.filter((one) => whileTyping.includes(one));
    };
    const observer = new MutationObserver((changes) => {
      const marks = changes.map(({ target }) => foundBy(target as Element));
      moveToErrors(marks.filter((one) => one !== null));
    });
    element.addEventListener('input', type);
    observer.observe(element, { subtree: true, childList: true, attributeFilter: [WRONG] });
    return () => {
      element.removeEventListener('input', type);
      observer.disconnect();
    };
  }, [moveToErrors]);

  const submitted = useCallback(() => {
    awaited.current = afterSubmit;
    setNames(NONE);
    // Once the form has drawn what it found. Errors of the API are still those of the submit before.
    setTimeout(() => moveToErrors(['form']));
  }, [moveToErrors]);

  return { form, names, submitted };
}
