import { useNavigate } from '@tanstack/react-router';
import { idPrefixes, isId, type IdKind } from '@svc/kernel';
import { type KeyboardEvent, type ReactElement, type ReactNode, useId, useRef, useState } from 'react';
import { groups } from '../../frame/page-facts';
import { useCommandLinks, useIdPaths, usePageLinks } from '../../frame/page-links';
import { Dialog } from '../../ui/dialog/dialog';
import fields from '../../ui/fields/fields.module.css';
import styles from './shell.module.css';
import { useNamedThings } from './named-things';

interface Entry {
  readonly key: string;
  readonly label: string;
  readonly note: ReactNode;
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
}

/** "Go to…": pages, keys, projects, models and members by their names, a pasted id, and what pages offer to begin. */
export function CommandMenu({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [typed, setTyped] = useState('');
  const [place, setPlace] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const navigate = useNavigate();
  const entries = useEntries(typed.trim());
  const at = Math.min(place, entries.length - 1);
  const choose = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    // Without the search of the page that is left; the organization is kept by the router.
    void navigate({ to: entry.to, search: entry.search });
  };
  const steer = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setPlace((at + step + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter') choose(entries[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog isOpen onClose={onClose} title="Go to…" initialFocus={input}>
      <div className={styles.commands}>
        <input
          ref={input}
          className={fields.input}
          role="combobox"
          aria-label="Page, name, id or command"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={entries[at] && `${id}-${entries[at].key}`}
          placeholder="Page, name, id or command"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            setPlace(0);
          }}
          onKeyDown={steer}
        />
        <Entries {...{ id, entries, at, choose }} onPoint={setPlace} />
        <p role="status" className="muted">
          {entries.length === 0 && 'No results.'}
        </p>
      </div>
    </Dialog>
  );
}

interface EntriesProps {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly at: number;
  readonly choose: (entry: Entry) => void;
  readonly onPoint: (place: number) => void;
}

/** The keyboard steers in the text field, which keeps the focus. */
function Entries({ id, entries, at, choose, onPoint }: EntriesProps): ReactElement {
  return (
    <div id={`${id}-list`} role="listbox" aria-label="Pages and commands" className={styles.entries}>
      {entries.map((entry, place) => (
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={entry.key}
          id={`${id}-${entry.key}`}
          role="option"
          tabIndex={-1}
          aria-selected={place === at}
          onClick={() => choose(entry)}
          onPointerMove={() => onPoint(place)}
        >
          {entry.label} <small>{entry.note}</small>
        </div>
      ))}
    </div>
  );
}

function useEntries(typed: string): readonly Entry[] {
  const pages = usePageLinks();
  const commands = useCommandLinks();
  const ids = useIdPaths();
  const opened = ids.filter(({ kind }) => isId(kind as IdKind, typed));
  const words = typed.toLowerCase();
  const named = [
    ...pages.map(({ path, title, group }) => ({ label: title, note: groups[group], to: path, search: {} })),
    ...commands.map(({ label, path, search }) => ({ label, note: 'Command', to: path, search })),
  ].filter(({ label }) => label.toLowerCase().includes(words));
  const things = useNamedThings(typed);
  return [
    ...opened.map(({ kind, path }) => ({
      label: `Open ${typed}`,
      note: idPrefixes[kind as IdKind],
      to: path.replace(/\$\w+$/, typed),
      search: {},
    })),
    ...named,
    ...things,
  ].map((entry, place) => ({ ...entry, key: String(place) }));
}
