import { useNavigate, useSearch } from '@tanstack/react-router';

export interface Opened {
  readonly open: () => void;
  /** For the dialog itself. */
  readonly dialog: { readonly isOpen: boolean; readonly onClose: () => void };
}

/** A dialog that the address opens: by `?create=true`. The page of the list behind it stays. */
export function useOpened(name: 'add' | 'create' | 'declare' | 'edit' | 'invite'): Opened {
  const { [name]: isOpen } = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const set = (isOn: boolean) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, [name]: isOn || undefined }),
      state: true,
      replace: true,
    });
  return {
    open: () => set(true),
    dialog: { isOpen: isOpen === true, onClose: () => set(false) },
  };
}
