import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useOpened } from '../../browser/opened';
import { Page, Section } from '../../frame/page';
import { useCan } from '../../session/organization';
import { AddButton } from '../../ui/button/add-button';
import { Note } from '../../ui/states/notes';
import { Result } from '../../ui/states/result';
import { Tabs } from '../../ui/tabs/tabs';
import { Money } from '../../ui/text/money';
import { AddCredit } from './add-credit';
import { AutoTopUpPanel } from './auto-top-up-panel';
import { autoTopUpText } from './auto-top-up-text';
import { Charges } from './charges';
import { CreditGrants } from './credit-grants';
import { Figures } from './figures';
import { Payments } from './payments';
import { walletRoute } from './route';
import { text } from './text';
import { Transactions } from './transactions';
import styles from './wallet.module.css';

export function WalletPage(): ReactElement {
  const canAdd = useCan('wallet:write');
  const wallet = useRead('/wallet', {});
  const adding = useOpened('add');
  return (
    <Page
      title={text.title}
      subtitle={text.purpose}
      actions={canAdd && <AddButton onClick={adding.open}>{text.addCredit}</AddButton>}
    >
      <Returned />
      {wallet.data !== undefined && (
        <p className={styles.available}>
          <span>{text.figures.available}</span> <Money amount={wallet.data.available_nanos} />
        </p>
      )}
      <Section title={text.figures.title}>
        <Result of={wallet} lines={3}>
          {(figures) => <Figures of={figures} />}
        </Result>
      </Section>
      <Lists />
      {canAdd && <AddCredit {...adding.dialog} />}
    </Page>
  );
}

/** The message for a payer who comes back from the page of the payment provider. */
function Returned(): ReactElement | null {
  const { checkout, card } = walletRoute.useSearch();
  const told = [
    ...(checkout === undefined ? [] : [text.returned[checkout]]),
    ...(card === undefined ? [] : [autoTopUpText.returned[card]]),
  ];
  if (told.length === 0) return null;
  return (
    <div className={styles.returned}>
      {told.map((sentence) => (
        <Note key={sentence}>{sentence}</Note>
      ))}
    </div>
  );
}

const panels = {
  transactions: <Transactions />,
  charges: <Charges />,
  payments: <Payments />,
  grants: <CreditGrants />,
  'auto-top-up': <AutoTopUpPanel />,
};

type Tab = keyof typeof panels;

/** Each list with its own pages: another tab begins with its first. Days are of usage, which not every role may read. */
function Lists(): ReactElement {
  const canReadUsage = useCan('usage:read');
  const { tab = 'transactions' } = walletRoute.useSearch();
  const tabs = (Object.keys(panels) as Tab[]).filter((key) => key !== 'charges' || canReadUsage);
  const navigate = walletRoute.useNavigate();
  const words = text.tabs;
  return (
    <Tabs
      label={words.label}
      value={tab}
      onChange={(next) =>
        void navigate({ search: { tab: next === 'transactions' ? undefined : next }, replace: true })
      }
      tabs={tabs.map((key) => ({
        key,
        label: words[key],
        panel: key === tab && panels[key],
      }))}
    />
  );
}
