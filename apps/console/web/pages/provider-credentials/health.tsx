import { type ReactElement } from 'react';
import { modelOfEndpoint } from '../../format/ids';
import { formatList } from '../../format/numbers';
import { Badge } from '../../ui/badge/badge';
import { Time } from '../../ui/text/time';
import { type Credential } from './credential';
import { healthWords, text } from './text';

const tones = { ok: 'good', cooling: 'warn', refused: 'bad' } as const;

/** Whether the provider takes calls with it, for which models it does not, and when the next call may try. Of an active one. */
export function Health({ credential }: { readonly credential: Credential }): ReactElement | null {
  const { state, health, retry_at: retryAt, cooling } = credential;
  if (state !== 'active') return null;
  const models = cooling.map(({ endpoint_id: id }) => modelOfEndpoint(id));
  const tip = models.length === 0 ? undefined : text.limitedModels(formatList(new Set(models)));
  return (
    <span data-tip={tip} aria-description={tip}>
      <Badge tone={tones[health]}>{healthWords[health]}</Badge>
      {retryAt !== null && (
        <>
          {' '}
          <span className="muted">
            {text.retry} <Time at={retryAt} />
          </span>
        </>
      )}
    </span>
  );
}
