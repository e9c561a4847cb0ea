import fc from 'fast-check';
import { draftOf } from './rule-draft';
import { summaryOf } from './rule-summary';

const empty = draftOf(null);
const called = {
  members: new Map([['mem_1', 'ana@example.com']]),
  integrations: new Map([['int_1', 'on-call']]),
};

describe('the sentences of a rule', () => {
  it('say when it fires, what is sent to whom, how often, and when it resolves', () => {
    const draft = {
      ...empty,
      threshold: '5',
      forMinutes: 10,
      repeatHours: 4,
      members: ['mem_1'],
      integrations: ['int_1'],
    };
    expect(summaryOf(draft, called)).toEqual([
      'Fires when “Error rate” over 5 minutes is at or above 5 % for 10 minutes.',
      'Emails Owner and ana@example.com: severity Warning.',
      'Posts to on-call: severity Warning.',
      'Sends again every 4 hours until somebody acknowledges the alert.',
      'Resolves when this has not held for 5 minutes, and emails them again.',
    ]);
  });

  it('say that nobody is notified, and that it is disabled', () => {
    const draft = { ...empty, threshold: '5', roles: [], keepMinutes: 0, isEnabled: false };
    expect(summaryOf(draft, called)).toEqual([
      'Fires when “Error rate” over 5 minutes is at or above 5 %.',
      'Nobody is notified. The alert is only listed here.',
      'Resolves as soon as this no longer holds.',
      'The rule is disabled: it does not watch.',
    ]);
  });

  it('say of a calendar period that it is one, and of a wallet no window', () => {
    const of = (change: object) => summaryOf({ ...empty, threshold: '5', ...change }, called)[0];
    expect(of({ metric: 'spend_nanos', span: 'month' })).toBe(
      'Fires when “Spend” in a calendar month (UTC) is at or above $5.00.',
    );
    expect(of({ metric: 'wallet_available_nanos' })).toBe(
      'Fires when “Wallet, available” is at or below $5.00.',
    );
  });

  it('ask for a threshold while there is none', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z -]{0,10}$/), (threshold) => {
        expect(summaryOf({ ...empty, threshold }, called)).toEqual([
          'Enter a threshold to see what the rule does.',
        ]);
      }),
    );
  });
});
