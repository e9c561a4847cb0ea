import { type ReactElement, useEffect, useRef } from 'react';
import { Button } from '../../ui/button/button';
import { SearchIcon } from '../../ui/icons/icons';
import fields from '../../ui/fields/fields.module.css';
import styles from './filters.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onSearch: (words: string | undefined) => void;
}

/** Words that are sent when they are whole: each letter would be a search over all organizations. */
export function SearchField({ label, value = '', onSearch }: SearchFieldProps): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Back and "Clear filters" change the address without it.
    if (input.current !== null) input.current.value = value;
  }, [value]);
  return (
    <form
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(input.current?.value.trim() || undefined);
      }}
    >
      <input
        type="search"
        data-filter=""
        className={fields.input}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        ref={input}
        defaultValue={value}
      />
      <Button type="submit" icon={<SearchIcon />}>
        Search
      </Button>
    </form>
  );
}
