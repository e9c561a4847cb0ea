import { type ReactElement } from 'react';
import { type Policy, type PolicyDocument } from '../../policies/policy';
import { conflictsOf } from '../../policies/policy-diff';
import { fieldWords } from '../../policies/text';
import { Button } from '../../ui/button/button';
import { Dialog } from '../../ui/dialog/dialog';
import { Footer } from '../../ui/footer/footer';
import { WarningNote } from '../../ui/states/notes';
import { Time } from '../../ui/text/time';
import { PolicyChanges } from './policy-changes';
import styles from './routing.module.css';
import { text } from './text';
import { WrittenBy } from './written-by';

const words = text.conflict;

/** `Version 8 was written by ada@example.com 2 min ago, since you began.` */
export const WrittenSince = ({ policy }: { readonly policy: Policy }): ReactElement => (
  <span>
    {words.written(policy.version)}{' '}
    {policy.created_by === null ? words.aKey : <WrittenBy userId={policy.created_by} />}
    {policy.created_at !== null && (
      <>
        , <Time at={policy.created_at} />,
      </>
    )}{' '}
    {words.since}
  </span>
);

interface ConflictProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly base: Policy;
  readonly mine: PolicyDocument;
  readonly theirs: Policy;
  readonly onKeep: () => void;
  readonly onDrop: () => void;
}

/** Two changes of one version, beside each other. Nothing is lost before one is chosen. */
export function Conflict({ isOpen, onClose, ...changes }: ConflictProps): ReactElement {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} size="large" title={words.title}>
      {isOpen && <BothChanges {...changes} onClose={onClose} />}
    </Dialog>
  );
}

function BothChanges(props: Omit<ConflictProps, 'isOpen'>): ReactElement {
  const { base, mine, theirs, onKeep, onDrop, onClose } = props;
  const both = conflictsOf(base, mine, theirs);
  return (
    <div className={styles.form}>
      <p>
        <WrittenSince policy={theirs} />
      </p>
      <div className={styles.sides}>
        <div>
          <h3>{words.theirs}</h3>
          <PolicyChanges from={base} to={theirs} label={words.theirs} />
        </div>
        <div>
          <h3>{words.yours}</h3>
          <PolicyChanges from={base} to={mine} label={words.yours} />
        </div>
      </div>
      {both.length > 0 && <WarningNote>{words.both(both.map((field) => fieldWords[field]))}</WarningNote>}
      <Footer>
        <Button onClick={onClose}>{words.later}</Button>
        <Button variant="danger" onClick={onDrop}>
          {words.drop}
        </Button>
        <Button variant="primary" onClick={onKeep}>
          {words.keep(theirs.version)}
        </Button>
      </Footer>
    </div>
  );
}
