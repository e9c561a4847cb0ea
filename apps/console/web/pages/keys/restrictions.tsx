import { type ReactElement, useState } from 'react';
import { AllowedAddresses } from '../../policies/allowed-addresses';
import { AllowedNames } from '../../policies/allowed-names';
import { useCatalogNames } from '../../policies/catalog-names';
import { type PolicyDocument } from '../../policies/policy';
import { fieldWords, text as policyText } from '../../policies/text';
import { MoneyField } from '../../ui/fields/money-field';
import styles from './keys.module.css';
import { isCostWrong, type KeyDraft } from './new-key';
import { text } from './text';

const words = text.form;
const PREFIX = 'policy.';

interface RestrictionsProps {
  readonly draft: KeyDraft;
  readonly isReplacing: boolean;
  /** Whether it was tried to create the key: what is wrong is shown then. */
  readonly isTried: boolean;
  readonly onChange: (change: Partial<PolicyDocument>) => void;
  readonly onCost: (typed: string) => void;
}

/** The policy that a new key begins with. Its other fields are set in Routing. */
export function Restrictions(props: RestrictionsProps): ReactElement {
  const [isOpened, setOpened] = useState(false);
  const isOpen = isOpened || (props.isTried && isCostWrong(props.draft));
  return (
    <details
      className={styles.restrictions}
      open={isOpen}
      onToggle={(event) => setOpened(event.currentTarget.open)}
    >
      <summary>{words.restrictions}</summary>
      {isOpen && <RestrictionFields {...props} />}
    </details>
  );
}

function RestrictionFields(props: RestrictionsProps): ReactElement {
  const { draft, isReplacing, onChange, onCost } = props;
  const { policy } = draft;
  const catalog = useCatalogNames();
  const shared = { policy, catalog, onChange, prefix: PREFIX };
  return (
    <div className={styles.fields}>
      <p className="muted">{isReplacing ? words.inherited : words.restrictionsNote}</p>
      <AllowedNames subject="models" {...shared} />
      <AllowedNames subject="operations" {...shared} />
      <MoneyField
        name={`${PREFIX}max_cost_nanos`}
        label={fieldWords.max_cost_nanos}
        hint={policyText.noLimit}
        value={draft.cost}
        onChange={onCost}
      />
      <AllowedAddresses
        name={`${PREFIX}allowed_ips`}
        addresses={policy.allowed_ips}
        onChange={(addresses) => onChange({ allowed_ips: addresses })}
      />
    </div>
  );
}
