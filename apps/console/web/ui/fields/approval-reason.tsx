import { type ReactElement, useEffect, useState } from 'react';
import { APPROVAL_REASON_HEADER, approvalReason } from '../../api/approval-reason';
import { useRead } from '../../api/use-api';
import { useCan } from '../../session/organization';
import { TextField } from './text-field';

/** More policies than an organization can have. */
const READ = 50;
const REASON_MAX = 500;
const words = {
  label: 'Why, for those who approve it',
  hint: 'This change waits for approval, or may do so. What you write here is kept with the request.',
};

interface ApprovalReasonProps {
  /** As policies name it: `api_key.create`. `always` for what waits by itself. */
  readonly action: string;
}

/** Asks why a change is wanted, where a policy holds changes of its kind. */
export function ApprovalReason({ action }: ApprovalReasonProps): ReactElement | null {
  const query = { limit: READ };
  const policies = useRead(
    '/approval-policies',
    { params: { query } },
    { enabled: useCan('approval:read') && action !== 'always' },
  );
  const names = [action, `${action.slice(0, action.indexOf('.'))}.*`];
  const isHeld = policies.data?.data.some(
    ({ enabled, actions }) => enabled && actions.some((name) => names.includes(name)),
  );
  return isHeld === true || action === 'always' ? <ReasonField /> : null;
}

function ReasonField(): ReactElement {
  const [typed, setTyped] = useState('');
  useEffect(() => () => approvalReason.set(''), []);
  return (
    <TextField
      name={APPROVAL_REASON_HEADER}
      label={words.label}
      hint={words.hint}
      maxLength={REASON_MAX}
      value={typed}
      onChange={(next) => {
        setTyped(next);
        approvalReason.set(next);
      }}
    />
  );
}
