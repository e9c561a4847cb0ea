import { type ReactElement } from 'react';
import { AutoTopUpSection } from './auto-top-up-section';
import { walletRoute } from './route';
import { SavedCards } from './saved-cards';
import { useCards } from './use-cards';

/** When the wallet is topped up by itself, and the cards that can be charged for it. */
export function AutoTopUpPanel(): ReactElement {
  const { card } = walletRoute.useSearch();
  const cards = useCards(card === 'done');
  return (
    <>
      <AutoTopUpSection cards={cards.data?.data} />
      <SavedCards cards={cards} />
    </>
  );
}
