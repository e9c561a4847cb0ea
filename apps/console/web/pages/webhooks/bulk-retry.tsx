import { type ReactElement, useState } from 'react';
import { type OrganizationApi } from '../../api/client';
import { useWrite } from '../../api/use-write';
import { usePreferences } from '../../browser/preferences';
import { fromInputTime, toInputTime } from '../../format/time';
import { FormDialog } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { RadioGroup } from '../../ui/fields/check-field';
import { TextField } from '../../ui/fields/text-field';
import { text } from './text';

const words = text.bulk;
/** The most that one call queues again: if it is that many, there may be more (docs/reference/webhooks.md). */
const AT_ONCE = 10_000;
const DAY_MS = 86_400_000;
type Which = 'dead' | 'failed' | 'succeeded';

interface BulkRetryProps {
  readonly endpointId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Queues many deliveries again, and says how many. */
export function BulkRetry({ endpointId, isOpen, onClose }: BulkRetryProps): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={words.title} description={words.note}>
      <BulkForm endpointId={endpointId} onClose={onClose} />
    </FormDialog>
  );
}

function BulkForm({ endpointId, onClose }: Omit<BulkRetryProps, 'isOpen'>): ReactElement {
  const { zone } = usePreferences();
  const [status, setStatus] = useState<Which>('dead');
  // Most outages are noticed within a day.
  const [initial] = useState(() => toInputTime(new Date(Date.now() - DAY_MS), zone));
  const [typed, setTyped] = useState(initial);
  const [isTried, setTried] = useState(false);
  const since = fromInputTime(typed, zone);
  const retry = useWrite((api, from: string) => retryAll(api, endpointId, { status, since: from }), {
    changes: ['/webhooks'],
    says: words.done,
  });
  const send = async () => {
    setTried(true);
    if (since === null) return;
    if ((await retry.run(since)) !== null) onClose();
  };
  return (
    <WriteForm
      label={words.title}
      write={retry}
      isChanged={typed !== initial || status !== 'dead'}
      action={words.send}
      onSubmit={() => void send()}
    >
      <RadioGroup
        label={words.status}
        value={status}
        onChange={setStatus}
        choices={(['dead', 'failed', 'succeeded'] as const).map((value) => ({
          value,
          label: words.statuses[value],
        }))}
      />
      <TextField
        name="since"
        label={words.since}
        type="datetime-local"
        value={typed}
        problem={isTried && since === null ? words.noSince : null}
        onChange={setTyped}
      />
    </WriteForm>
  );
}

/**
 * Until a call queues less than the most: what was queued has another status then. Deliveries that succeeded can come back
 * to their status while this runs, so of those only what was created before it began is sent again.
 */
async function retryAll(
  api: OrganizationApi,
  endpointId: string,
  which: { readonly status: Which; readonly since: string },
): Promise<number> {
  const body = { ...which, until: new Date().toISOString() };
  const params = { path: { endpoint_id: endpointId } };
  let sum = 0;
  for (let calls = 0; calls < CALLS_MAX; calls++) {
    const { count } = await api.post('/webhooks/{endpoint_id}/deliveries/retry', { params, body });
    sum += count;
    if (count < AT_ONCE) break;
  }
  return sum;
}
const CALLS_MAX = 100;
