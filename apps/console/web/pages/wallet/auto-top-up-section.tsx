import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { ConfirmWrite } from '../../frame/confirm-write';
import { Facts, Section } from '../../frame/page';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { Button } from '../../ui/button/button';
import { WarningNote } from '../../ui/states/notes';
import { Result } from '../../ui/states/result';
import { Filled } from '../../ui/text/filled';
import { Money } from '../../ui/text/money';
import { Time } from '../../ui/text/time';
import { isCapReached, standingOf, switchedOff, type AutoTopUp } from './auto-top-up';
import { AutoTopUpDialog } from './auto-top-up-form';
import { autoTopUpText as text, cardWords, standingWords } from './auto-top-up-text';
import { type Card } from './card';

interface AutoTopUpSectionProps {
  /** The saved cards; undefined while they are not known. */
  readonly cards: readonly Card[] | undefined;
}

/** When the wallet is topped up by itself, what it may cost, and whether it works. */
export function AutoTopUpSection({ cards }: AutoTopUpSectionProps): ReactElement {
  const settings = useRead('/wallet/auto-top-up', {}, { isReadAnew: true });
  const { data } = settings;
  const canWrite = useCan('wallet:write');
  const isKnown = data !== undefined && cards !== undefined;
  return (
    <Section title={text.title} actions={canWrite && isKnown && <Actions settings={data} cards={cards} />}>
      <Result of={settings} lines={4}>
        {(of) => <State of={of} cards={cards} />}
      </Result>
    </Section>
  );
}

const tones = { never: 'neutral', on: 'good', off: 'neutral', ended: 'bad' } as const;

function State({ of, cards }: AutoTopUpSectionProps & { readonly of: AutoTopUp }): ReactElement {
  const standing = standingOf(of);
  if (standing === 'never') return <p className="muted">{text.never}</p>;
  const { threshold_nanos: threshold, amount_nanos: amount, monthly_cap_nanos: cap } = of;
  const words = text.facts;
  return (
    <>
      {standing === 'ended' && <WarningNote>{text.reason(of.disabled_reason ?? '')}</WarningNote>}
      {standing === 'on' && of.retry_at !== null && <Retry at={of.retry_at} />}
      {standing === 'on' && isCapReached(of) && <WarningNote>{text.capReached}</WarningNote>}
      <Facts
        of={[
          [
            words.state,
            <Badge key="" tone={tones[standing]}>
              {standingWords[standing]}
            </Badge>,
          ],
          [
            words.threshold,
            <Filled
              key=""
              sentence={words.below}
              places={{ threshold: <Money amount={threshold ?? 0n} /> }}
            />,
          ],
          [words.amount, <Money key="" amount={amount ?? 0n} />],
          [
            words.charged,
            <Filled
              key=""
              sentence={words.chargedOf}
              places={{
                charged: <Money amount={of.charged_this_month_nanos} />,
                cap: <Money amount={cap ?? 0n} />,
              }}
            />,
          ],
          [words.card, cardOf(of, cards)],
        ]}
      />
    </>
  );
}

function Retry({ at }: { readonly at: string }): ReactElement | null {
  const [openedAt] = useState(() => Date.now());
  if (Date.parse(at) <= openedAt) return null;
  return (
    <WarningNote>
      <Filled sentence={text.retry} places={{ time: <Time at={at} as="instant" /> }} />
    </WarningNote>
  );
}

function cardOf({ payment_method_id: id }: AutoTopUp, cards: readonly Card[] | undefined): string {
  if (id === null) return text.facts.noCard;
  if (cards === undefined) return '–';
  const card = cards.find((one) => one.id === id);
  return card === undefined ? text.facts.goneCard : cardWords(card);
}

interface ActionsProps {
  readonly settings: AutoTopUp;
  readonly cards: readonly Card[];
}

function Actions({ settings, cards }: ActionsProps): ReactElement {
  const [open, setOpen] = useState<'form' | 'off' | null>(null);
  const close = () => setOpen(null);
  const standing = standingOf(settings);
  return (
    <div>
      {standing === 'on' ? (
        <>
          <Button onClick={() => setOpen('form')}>{text.change}</Button>{' '}
          <Button onClick={() => setOpen('off')}>{text.off.open}</Button>
        </>
      ) : (
        <Button
          variant="primary"
          disabledReason={cards.length === 0 ? text.noCards : null}
          onClick={() => setOpen('form')}
        >
          {standing === 'never' ? text.setUp : text.switchOn}
        </Button>
      )}
      <AutoTopUpDialog {...{ settings, cards }} isOpen={open === 'form'} onClose={close} />
      <SwitchOff isOpen={open === 'off'} onClose={close} />
    </div>
  );
}

/** Sends what is in force at that moment: a change that somebody made meanwhile stays. */
function SwitchOff(dialog: { readonly isOpen: boolean; readonly onClose: () => void }): ReactElement {
  const words = text.off;
  const write = useWrite(
    async (api) => {
      const inForce = await api.get('/wallet/auto-top-up');
      const body = switchedOff(inForce);
      return body === null ? inForce : api.put('/wallet/auto-top-up', { body });
    },
    { changes: ['/wallet', '/audit-log'], says: words.done },
  );
  return <ConfirmWrite {...dialog} write={write} words={words} isDanger={false} />;
}
