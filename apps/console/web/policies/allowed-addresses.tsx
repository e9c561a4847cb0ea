import { type ReactElement, useState } from 'react';
import { Segmented } from '../ui/segmented/segmented';
import { TextArea } from '../ui/fields/text-field';
import { WarningNote } from '../ui/states/notes';
import { addressesIn } from './addresses';
import styles from './policies.module.css';
import { type PolicyDocument } from './policy';
import { text } from './text';

const words = text.addresses;
const ROWS = 4;

interface AllowedAddressesProps {
  /** The API's name of the field. */
  readonly name: string;
  readonly addresses: PolicyDocument['allowed_ips'];
  readonly onChange: (addresses: PolicyDocument['allowed_ips']) => void;
}

/** From where a key may be used: any address, or only those of a list. */
export function AllowedAddresses({ name, addresses, onChange }: AllowedAddressesProps): ReactElement {
  const [typed, setTyped] = useState('');
  // Another version may have been loaded since.
  const isTyped = addresses === null || addressesIn(typed).join() === addresses.join();
  const shown = isTyped ? typed : addresses.join('\n');
  const type = (next: string) => {
    setTyped(next);
    onChange(addressesIn(next));
  };
  const choose = (mode: 'any' | 'only') => {
    // The former list is there again where somebody chooses a list after all.
    setTyped(shown);
    onChange(mode === 'any' ? null : addressesIn(typed));
  };
  return (
    <div className={styles.subject}>
      <div className={styles.subjectHead}>
        <h3>{words.title}</h3>
        <Segmented
          label={words.mode}
          value={addresses === null ? 'any' : 'only'}
          onChange={choose}
          choices={(['any', 'only'] as const).map((value) => ({ value, label: words[value] }))}
        />
      </div>
      {addresses !== null && (
        <>
          <TextArea
            name={name}
            label={words.list}
            hint={words.hint}
            rows={ROWS}
            isCode
            value={shown}
            onChange={type}
          />
          {addresses.length === 0 ? (
            <WarningNote>{words.nobody}</WarningNote>
          ) : (
            <p className="muted">{words.unlisted}</p>
          )}
        </>
      )}
    </div>
  );
}
