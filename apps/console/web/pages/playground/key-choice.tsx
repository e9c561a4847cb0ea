import { type ReactElement } from 'react';
import { useOrganization } from '../../session/organization';
import { noPermissionText } from '../../session/roles';
import { RadioGroup } from '../../ui/fields/check-field';
import { TextField } from '../../ui/fields/text-field';
import { Note } from '../../ui/states/notes';
import { isKey } from './pasted-key';
import { text } from './text';
import { type KeyKind } from './use-settings';

const words = text.settings;

interface KeyChoiceProps {
  /** Whether the role may make a key of its own. */
  readonly canMint: boolean;
  readonly kind: KeyKind;
  readonly secret: string;
  /** Whether a message was sent without a key. */
  readonly isTried: boolean;
  readonly onKind: (kind: KeyKind) => void;
  readonly onSecret: (secret: string) => void;
}

/** Which key calls are made with. */
export function KeyChoice(props: KeyChoiceProps): ReactElement {
  const { canMint, kind, secret, isTried, onKind, onSecret } = props;
  const { role } = useOrganization();
  const wrong = secret !== '' && !isKey(secret);
  return (
    <>
      {canMint ? (
        <RadioGroup
          label={words.key}
          value={kind}
          onChange={onKind}
          choices={[
            { value: 'minted', ...words.keys.minted },
            { value: 'pasted', ...words.keys.pasted },
          ]}
        />
      ) : (
        <Note>
          <p>{noPermissionText(role, 'key:create', text.noPermissionWhat, text.noPermissionVerb)}</p>
          <p>
            {text.paste} {words.keys.pasted.note}
          </p>
        </Note>
      )}
      {kind === 'pasted' && (
        <TextField
          label={words.pastedKey}
          type="password"
          spellCheck={false}
          value={secret}
          onChange={onSecret}
          problem={wrong ? words.notAKey : isTried && secret === '' ? words.noKey : null}
        />
      )}
    </>
  );
}
