import { type ReactElement, useState } from 'react';
import { type components } from '../../api/generated/management';
import { useWrite } from '../../api/use-write';
import { usePreferences } from '../../browser/preferences';
import { fromInputTime, toInputTime } from '../../format/time';
import { FormDialog } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { TextField } from '../../ui/fields/text-field';
import { type ApiKey } from './key';
import { LimitFields } from './limit-fields';
import { text } from './text';

type ApiKeyChange = components['schemas']['ApiKeyChange'];

interface EditKeyProps {
  readonly apiKey: ApiKey;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Renames a key, overrides its limits, moves its end. */
export function EditKey({ apiKey, isOpen, onClose }: EditKeyProps): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={text.edit.title}>
      <EditForm apiKey={apiKey} onClose={onClose} />
    </FormDialog>
  );
}

function EditForm({ apiKey, onClose }: Omit<EditKeyProps, 'isOpen'>): ReactElement {
  const { zone } = usePreferences();
  const before = apiKey.expires_at === null ? '' : toInputTime(new Date(apiKey.expires_at), zone);
  const [name, setName] = useState(apiKey.name);
  const [expiry, setExpiry] = useState(before);
  const [limits, setLimits] = useState({ rpm: apiKey.rate_limit_rpm, tpm: apiKey.rate_limit_tpm });
  const params = { path: { key_id: apiKey.id } };
  const change = useWrite((api, body: ApiKeyChange) => api.patch('/keys/{key_id}', { params, body }), {
    changes: ['/keys', '/audit-log'],
    says: text.edit.saved,
  });
  const body: ApiKeyChange = {
    ...(name.trim() === apiKey.name ? {} : { name: name.trim() }),
    // An unchanged end is left out: the field knows no seconds.
    ...(expiry === before ? {} : { expires_at: expiry === '' ? null : fromInputTime(expiry, zone) }),
    ...(limits.rpm === apiKey.rate_limit_rpm ? {} : { rate_limit_rpm: limits.rpm }),
    ...(limits.tpm === apiKey.rate_limit_tpm ? {} : { rate_limit_tpm: limits.tpm }),
  };
  const save = async () => {
    const changed = await change.run(body);
    if (changed !== null) onClose();
  };
  return (
    <WriteForm
      approval="api_key.update"
      label={text.edit.title}
      write={change}
      isChanged={Object.keys(body).length > 0}
      action={text.edit.save}
      onSubmit={() => void save()}
    >
      <TextField name="name" label={text.form.name} value={name} onChange={setName} />
      <TextField
        name="expires_at"
        label={text.form.expiry}
        hint={text.form.expiryHint}
        type="datetime-local"
        value={expiry}
        onChange={setExpiry}
      />
      <LimitFields {...limits} onChange={(moved) => setLimits((held) => ({ ...held, ...moved }))} />
    </WriteForm>
  );
}
