import { Popover } from '@base-ui/react/popover';
import { type ReactElement, type ReactNode, useState } from 'react';
import { Button } from '../button/button';
import { CloseIcon } from '../icons/icons';
import { FilterIcon, PlusIcon } from '../icons/later-icons';
import popup from '../menu/popup.module.css';
import styles from './filter-bar.module.css';
import { usePopupContainer } from '../popup-container';

export interface Filter {
  /** The search parameter it is. */
  readonly key: string;
  readonly label: string;
  /** Its value, in words; null while it is not set. */
  readonly value: string | null;
  /** The control that sets it, in a popup. */
  readonly editor: (close: () => void) => ReactNode;
  readonly onClear: () => void;
  /** Offered by "Add filter" alone while it is not set, so that the usual ones are found at once. */
  readonly isRare?: boolean;
}

export interface FilterBarProps {
  readonly filters: readonly Filter[];
  readonly onClearAll: () => void;
  /** A search box before the chips: mark its input with `data-filter`, so that `/` finds it. */
  readonly children?: ReactNode;
  /** Controls of the list that are no filters: a switch, an export. */
  readonly actions?: ReactNode;
}

/** The filters of a list as chips. What is set comes first; what is not waits behind its name, or behind "Add filter". */
export function FilterBar({ filters, onClearAll, children, actions }: FilterBarProps): ReactElement {
  const [added, setAdded] = useState<string | null>(null);
  const isSet = filters.some(({ value }) => value !== null);
  const isHidden = ({ key, value, isRare = false }: Filter) => isRare && value === null && key !== added;
  const ordered = filters
    .filter((filter) => !isHidden(filter))
    .sort((a, b) => Number(a.value === null) - Number(b.value === null));
  const hidden = filters.filter(isHidden);
  return (
    <search aria-label="Filters" className={styles.bar}>
      {children}
      <ul className={styles.chips}>
        {ordered.map((filter) => (
          <li key={filter.key}>
            <FilterChip filter={filter} isOpenAtFirst={filter.key === added} />
          </li>
        ))}
      </ul>
      {hidden.length > 0 && <AddFilter of={hidden} onAdd={setAdded} />}
      {isSet && (
        <Button variant="quiet" onClick={onClearAll}>
          Clear filters
        </Button>
      )}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </search>
  );
}

interface AddFilterProps {
  readonly of: readonly Filter[];
  readonly onAdd: (key: string) => void;
}

/** The filters that are rarely set, by name. The chosen one opens as a chip. */
function AddFilter({ of, onAdd }: AddFilterProps): ReactElement {
  const container = usePopupContainer();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
      <Popover.Trigger className={styles.open} data-filter="">
        <PlusIcon />
        Add filter
      </Popover.Trigger>
      <Popover.Portal container={container}>
        <Popover.Positioner className={popup.positioner} align="start" sideOffset={4}>
          <Popover.Popup className={popup.popup} aria-label="Add filter" finalFocus={false}>
            <ul className={styles.names}>
              {of.map(({ key, label }) => (
                <li key={key}>
                  <button
                    type="button"
                    className={popup.item}
                    onClick={() => {
                      setIsOpen(false);
                      onAdd(key);
                    }}
                  >
                    {label}
                  </button>
                </li>
              ))}
            </ul>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface FilterChipProps {
  readonly filter: Filter;
  readonly isOpenAtFirst: boolean;
}

function FilterChip({
  filter: { label, value, editor, onClear },
  isOpenAtFirst,
}: FilterChipProps): ReactElement {
  const container = usePopupContainer();
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  return (
    <span className={styles.chip} data-set={value !== null || undefined}>
      <Popover.Root open={isOpen} onOpenChange={setIsOpen}>
        <Popover.Trigger className={styles.open} data-filter="">
          {value === null ? (
            <>
              <FilterIcon />
              {label}
            </>
          ) : (
            <>
              <span>{label}:</span> <strong>{value}</strong>
            </>
          )}
        </Popover.Trigger>
        <Popover.Portal container={container}>
          <Popover.Positioner className={popup.positioner} align="start" sideOffset={4}>
            <Popover.Popup className={`${popup.popup} ${styles.editor}`} aria-label={label}>
              {editor(() => setIsOpen(false))}
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
      {value !== null && (
        <button type="button" className={styles.clear} aria-label={`Clear ${label}`} onClick={onClear}>
          <CloseIcon />
        </button>
      )}
    </span>
  );
}
