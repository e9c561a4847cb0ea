import Ajv2020 from 'ajv/dist/2020';
import { referencePage, tableRows } from '@svc/testing';
import { defineEvent } from './define-event';
import {
  eventCatalogue,
  eventJsonSchema,
  eventTypes,
  testedExample,
  type EventType,
} from './event-catalogue';
import { EVENT_NAME_MAX_CHARACTERS, name } from './event-fields';

/** The names in the first columns of docs/reference/events.md: only names of events have dots. */
const promisedEvents = (): string[] =>
  tableRows(referencePage('events.md')).flatMap(([cell = '']) =>
    Array.from(cell.matchAll(/`(\w+\.[\w.]+)`/g), ([, type = '']) => type),
  );

describe('the event catalogue', () => {
  it('has every event that the reference lists, and no other', () => {
    expect([...eventTypes].sort()).toEqual(promisedEvents().sort());
  });

  it.each(eventTypes)('%s has each of its fields in the reference', (type) => {
    const page = referencePage('events.md');
    for (const field of Object.keys(eventCatalogue[type].example)) expect(page).toContain(`\`${field}\``);
  });

  it.each(eventTypes)('%s has a description, and its example matches its schema', (type) => {
    const { description, problemsOf, example } = eventCatalogue[type];
    expect(description).toMatch(/^\S.*[^.]$/);
    expect(problemsOf(example)).toEqual([]);
  });

  it.each(eventTypes)('%s refuses a field that it does not declare', (type) => {
    const { problemsOf, example } = eventCatalogue[type];
    for (const field of ['prompt', 'output', 'secret', 'signing_secret']) {
      expect(problemsOf({ ...example, [field]: 'x' })).not.toEqual([]);
    }
  });

  it.each(eventTypes)('43: %s has no field that accepts text of any form and length', (type) => {
    const { problemsOf, example } = eventCatalogue[type];
    const content = 'Write a poem about the sea.\n'.repeat(20);
    for (const [field, value] of Object.entries(example)) {
      const smuggled: unknown = Array.isArray(value) ? [content] : content;
      expect(problemsOf({ ...example, [field]: smuggled })).not.toEqual([]);
    }
  });

  it.each(eventTypes)('%s has a JSON Schema that accepts its example and additional fields', (type) => {
    const validate = new Ajv2020({ validateFormats: false }).compile(eventJsonSchema(type));
    const { example } = eventCatalogue[type];
    expect(validate(example)).toBe(true);
    expect(validate({ ...example, added_later: 1 })).toBe(true);
    const [, ...allButFirst] = Object.entries(example);
    expect(validate(Object.fromEntries(allButFirst))).toBe(false);
  });

  it('43: does not compile with a field that could carry content', () => {
    // @ts-expect-error -- only the field builders make fields
    const free = defineEvent('an event', { prompt: { schema: {}, problemsOf: () => [], example: '' } });
    expect(free.problemsOf({ prompt: 'x'.repeat(10_000) })).toEqual([]);
  });

  it('accepts names up to the bound and not beyond', () => {
    expect(name('a').problemsOf('é'.repeat(EVENT_NAME_MAX_CHARACTERS), 'data')).toEqual([]);
    expect(name('a').problemsOf('é'.repeat(EVENT_NAME_MAX_CHARACTERS + 1), 'data')).toEqual(['data too_big']);
  });
});

describe('the test of an endpoint', () => {
  const { problemsOf, example: test } = eventCatalogue['webhook.test'];
  const { endpoint_id } = test;
  const accepts = (example: unknown) => problemsOf({ endpoint_id, example }).length === 0;
  const others = eventTypes.filter((type) => type !== 'webhook.test');

  it('needs to show no event', () => {
    expect(problemsOf({ endpoint_id })).toEqual([]);
  });

  it.each(others)('shows %s by its example, and takes nothing else in its place', (type) => {
    const data = eventCatalogue[type].example;
    expect(testedExample(type)).toEqual({ type, data });
    expect(accepts({ type, data })).toBe(true);
    const [[field, value] = [''], ...allButFirst] = Object.entries(data);
    for (const example of [
      { type, data: { ...data, prompt: 'x' } },
      { type, data: { ...data, [field]: `${String(value)}0` } },
      { type, data: Object.fromEntries(allButFirst) },
      { type, data, prompt: 'x' },
      { type: `${type}s`, data },
      { type },
    ])
      expect([example, accepts(example)]).toEqual([example, false]);
  });

  it('shows no test, nothing of the name of another object’s field, and nothing that is no object', () => {
    for (const type of ['webhook.test', 'toString', '__proto__', '']) {
      expect(testedExample(type)).toBeNull();
      expect(accepts({ type, data: {} })).toBe(false);
    }
    expect(accepts({ type: 'webhook.test', data: test })).toBe(false);
    for (const example of [null, 'x', [], {}, { type: {}, data: {} }]) expect(accepts(example)).toBe(false);
  });

  it('promises receivers a name and data of any form, so that events can get fields', () => {
    const validate = new Ajv2020().compile(eventJsonSchema('webhook.test'));
    expect(validate({ endpoint_id })).toBe(true);
    expect(validate({ endpoint_id, example: { type: 'a.new_one', data: { later: 1 }, also: 1 } })).toBe(true);
    expect(validate({ endpoint_id, example: { type: 'a.new_one' } })).toBe(false);
    expect(validate({ endpoint_id, example: 'x' })).toBe(false);
  });
});

it('types an event by its name', () => {
  const data: (typeof eventCatalogue)['wallet.credit_granted']['example'] = {
    credit_grant_id: 'crg_1',
    amount_nanos: 5,
    balance_nanos: 7,
  };
  // @ts-expect-error -- no such event
  const misspelt: EventType = 'wallet.credit_grantet';
  expect(eventCatalogue['wallet.credit_granted'].problemsOf(data)).toEqual([]);
  expect(eventTypes).not.toContain(misspelt);
});
