import { ApiError } from '../../api/api-error';
import { walletRoute } from './route';

/** How the page of the payment provider was left. */
export type Ending = 'done' | 'left';

/** Where the page of the payment provider leads back to. */
export interface Returns {
  readonly success_url?: string;
  readonly cancel_url?: string;
}

/** The parameter of the wallet's address for each ending. */
type SearchOf = (ending: Ending) => Readonly<Record<string, string>>;

/**
 * Asks for a page of the payment provider that leads back to the wallet.
 * @param ask sends the call. It is sent again without addresses where the API refuses those of this console.
 * @throws ApiError what the call throws otherwise.
 */
export async function withReturns<Answer>(
  organization: string,
  searchOf: SearchOf,
  ask: (returns: Returns) => Promise<Answer>,
): Promise<Answer> {
  const backAt = (ending: Ending) => addressOf({ org: organization, ...searchOf(ending) });
  try {
    return await ask({ success_url: backAt('done'), cancel_url: backAt('left') });
  } catch (error) {
    // The console is open under another address than the one that the service knows: the provider shows its own end.
    if (error instanceof ApiError && error.param === 'success_url') return ask({});
    throw error;
  }
}

function addressOf(search: Readonly<Record<string, string>>): string {
  const address = new URL(`/console${walletRoute.to}`, location.origin);
  address.search = new URLSearchParams(search).toString();
  return address.href;
}
