import { type UseQueryResult } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { ConfirmWrite } from '../../frame/confirm-write';
import { Section } from '../../frame/page';
import { useCan } from '../../session/organization';
import { Badge } from '../../ui/badge/badge';
import { Button } from '../../ui/button/button';
import { Result } from '../../ui/states/result';
import { DataTable, type Column } from '../../ui/table/data-table';
import { Time } from '../../ui/text/time';
import { AddCard } from './add-card';
import { autoTopUpText, cardWords } from './auto-top-up-text';
import { isExpired, type Card } from './card';

const words = autoTopUpText.cards;

interface SavedCardsProps {
  readonly cards: UseQueryResult<{ readonly data: readonly Card[] }>;
}

/** The cards that the payment provider keeps. */
export function SavedCards({ cards }: SavedCardsProps): ReactElement {
  const canWrite = useCan('wallet:write');
  const chargedId = useChargedId();
  const [removed, setRemoved] = useState<Card | null>(null);
  return (
    <Section title={words.title} actions={canWrite && <AddCard onClosed={() => void cards.refetch()} />}>
      <Result of={cards} lines={3}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="muted">{words.empty}</p>
          ) : (
            <DataTable
              caption={words.caption}
              columns={columnsOf(chargedId, canWrite ? setRemoved : null)}
              rows={data}
              rowKey={({ id }) => id}
            />
          )
        }
      </Result>
      <p className="muted">{words.note}</p>
      <RemoveCard
        card={removed}
        isCharged={removed !== null && removed.id === chargedId}
        onClose={() => setRemoved(null)}
      />
    </Section>
  );
}

/** The card that automatic top-up charges; null where it is off. */
function useChargedId(): string | null {
  const { data } = useRead('/wallet/auto-top-up', {});
  return data?.enabled === true ? data.payment_method_id : null;
}

const columnsOf = (
  chargedId: string | null,
  onRemove: ((card: Card) => void) | null,
): readonly Column<Card>[] => [
  {
    key: 'card',
    header: words.card,
    cell: (card) => (
      <>
        {cardWords(card)} {card.id === chargedId && <Badge tone="good">{words.auto}</Badge>}{' '}
        {!card.livemode && <Badge tone="warn">{words.testMode}</Badge>}
      </>
    ),
  },
  { key: 'expires', header: words.expires, cell: (card) => <Expiry of={card} /> },
  { key: 'saved', header: words.saved, cell: ({ created_at: at }) => <Time at={at} /> },
  ...(onRemove === null
    ? []
    : [
        {
          key: 'actions',
          header: words.actions,
          cell: (card: Card) => (
            <Button aria-label={words.removeCard(cardWords(card))} onClick={() => onRemove(card)}>
              {words.remove}
            </Button>
          ),
        },
      ]),
];

function Expiry({ of: card }: { readonly of: Card }): ReactElement {
  const [now] = useState(() => new Date());
  return (
    <span className="number">
      {words.expiry(card.exp_month, card.exp_year)}{' '}
      {isExpired(card, now) && <Badge tone="bad">{words.expired}</Badge>}
    </span>
  );
}

interface RemoveCardProps {
  /** Null while none is to be removed. */
  readonly card: Card | null;
  /** Whether automatic top-up charges it. */
  readonly isCharged: boolean;
  readonly onClose: () => void;
}

function RemoveCard({ card, isCharged, onClose }: RemoveCardProps): ReactElement {
  const remove = useWrite(
    (api, { id }: Card) =>
      api.delete('/payment-methods/{payment_method_id}', { params: { path: { payment_method_id: id } } }),
    {
      changes: ['/payment-methods', '/wallet', '/audit-log'],
      says: autoTopUpText.remove.done,
    },
  );
  return (
    <ConfirmWrite write={remove} input={card} onClose={onClose} words={autoTopUpText.remove}>
      {card !== null && (
        <p>
          <strong>{cardWords(card)}</strong>
        </p>
      )}
      {isCharged && <p>{autoTopUpText.remove.endsAuto}</p>}
    </ConfirmWrite>
  );
}
