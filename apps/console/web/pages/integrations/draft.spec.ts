import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeOf, draftOf, newIntegrationOf, readHeaders } from './draft';
import { defaultEventTypes, type Integration } from './integration';

const reference = readFileSync(join(__dirname, '../../../../../docs/reference/integrations.md'), 'utf8');

describe('the form of an integration', () => {
  it('begins with the events that a new one is told of by default', () => {
    const [, sentence = ''] =
      /Without them, an integration gets ([^.]*(?:\.[^\s][^.]*)*)\./.exec(reference) ?? [];
    expect([...sentence.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(defaultEventTypes);
    expect(newIntegrationOf(draftOf(null)).event_types).toEqual(defaultEventTypes);
  });

  it('leaves out what is kept because nobody typed it, secrets above all', () => {
    const slack = {
      kind: 'slack',
      name: 'On-call',
      config: { url: 'https://hooks.slack.com' },
      event_types: [],
    } as unknown as Integration;
    expect(changeOf(draftOf(slack))).toEqual({ name: 'On-call', config: {}, event_types: [] });
    const pager = {
      ...slack,
      kind: 'pagerduty',
      config: { url: 'https://p.example', routing_key: { last4: '9f3c' } },
    };
    expect(changeOf(draftOf(pager as Integration)).config).toEqual({ url: 'https://p.example' });
  });

  it('sends the headers of telemetry only where they are given, and no events', () => {
    const otlp = {
      kind: 'otlp',
      name: 'Collector',
      config: {
        url: 'https://c.example',
        headers: { a: { last4: '' } },
        signals: ['traces'],
        encoding: 'json',
      },
      event_types: [],
    } as unknown as Integration;
    const kept = { url: 'https://c.example', signals: ['traces'], encoding: 'json' };
    expect(changeOf(draftOf(otlp))).toEqual({ name: 'Collector', config: kept });
    const replaced = { ...draftOf(otlp), givesHeaders: true, headers: 'x-api-key: s: e\n\n a:b ' };
    expect(changeOf(replaced).config).toEqual({ ...kept, headers: { 'x-api-key': 's: e', a: 'b' } });
  });

  it('reads a header a line, and takes no line that is none', () => {
    expect(readHeaders('')).toEqual({});
    expect(readHeaders('no header')).toBeNull();
  });
});
