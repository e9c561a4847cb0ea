import { useBlocker } from '@tanstack/react-router';
import { type ReactElement } from 'react';
import { ConfirmDialog } from '../ui/dialog/confirm-dialog';

const words = {
  title: 'Leave without saving?',
  body: 'What you changed is lost.',
  action: 'Leave',
};

interface LeaveQuestionProps {
  readonly isOpen: boolean;
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

export const LeaveQuestion = ({ isOpen, onStay, onLeave }: LeaveQuestionProps): ReactElement => (
  <ConfirmDialog
    isOpen={isOpen}
    onClose={onStay}
    title={words.title}
    action={words.action}
    onConfirm={onLeave}
  >
    <p>{words.body}</p>
  </ConfirmDialog>
);

type Search = Readonly<Record<string, unknown>>;

interface LeaveGuardProps {
  readonly isChanged: boolean;
  /** Whether a change of the page's search parameters leaves the form, too. Without it they are its tabs, for example. */
  readonly isLeftBySearch?: (from: Search, to: Search) => boolean;
}

/** Asks before a changed form is left: by a link, by Back, by closing the tab. */
export function LeaveGuard({ isChanged, isLeftBySearch = () => false }: LeaveGuardProps): ReactElement {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged && (current.pathname !== next.pathname || isLeftBySearch(current.search, next.search)),
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  return (
    <LeaveQuestion
      isOpen={blocker.status === 'blocked'}
      onStay={() => blocker.reset?.()}
      onLeave={() => blocker.proceed?.()}
    />
  );
}
