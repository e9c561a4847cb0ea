import { type ComponentType, type KeyboardEvent, type ReactElement, Suspense } from 'react';
import { lazyPart } from '../loading/lazy-part';
import { useOnDemand } from '../loading/on-demand';
import { type LoadedSelectProps } from './loaded-select';
import { buttonClass, SelectValue, type SelectProps } from './select-value';

const load = async () => (await import('./loaded-select')).LoadedSelect<string>;
const LoadedSelect = lazyPart(load);

/**
 * One of a few choices, for a toolbar: give it an `aria-label`. Its list is loaded when it is used first, as nothing of the
 * first page needs it.
 */
export function Select<Value extends string>(props: SelectProps<Value>): ReactElement {
  const { value, onChange: _, choices, placeholder, ...rest } = props;
  const { isAsked, ask, trigger } = useOnDemand(load);
  const closed = (
    <button
      type="button"
      role="combobox"
      aria-haspopup="listbox"
      aria-expanded={false}
      // There is no list to control as long as it is closed.
      aria-controls={undefined}
      aria-busy={isAsked || undefined}
      className={buttonClass}
      {...rest}
      {...trigger}
      onKeyDown={(event) => opensList(event) && ask()}
    >
      <SelectValue {...{ value, choices, placeholder }} />
    </button>
  );
  const Loaded = LoadedSelect as unknown as ComponentType<LoadedSelectProps<Value>>;
  return isAsked ? (
    <Suspense fallback={closed}>
      <Loaded {...props} isOpenAtFirst />
    </Suspense>
  ) : (
    closed
  );
}

/** Enter and Space press the button anyhow. */
function opensList(event: KeyboardEvent): boolean {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return false;
  event.preventDefault();
  return true;
}
