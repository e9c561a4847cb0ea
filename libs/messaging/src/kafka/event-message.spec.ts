import { type KafkaMessage } from 'kafkajs';
import { UnprocessableEvent } from '../message-parking';
import { messageOf, receivedMessage } from './event-message';

const event = {
  id: 'evt_1',
  type: 'wallet.credit_granted',
  organizationId: 'org_1',
  payload: '\uFEFF{"text":"ü€😀"}',
};
const bytes = (text: string) => Buffer.from(text);
const wire = (changes: object = {}): KafkaMessage => ({
  offset: '9007199254740993',
  timestamp: '0',
  attributes: 0,
  key: bytes('org_1'),
  value: bytes(event.payload),
  headers: { 'svc-event-id': bytes('evt_1'), 'svc-event-type': bytes('wallet.credit_granted') },
  ...changes,
});

describe('an event on the wire', () => {
  it('has its organization as key, its bytes as value, and its id and type in headers', () => {
    expect(messageOf(event)).toEqual({
      key: 'org_1',
      value: event.payload,
      headers: { 'svc-event-id': 'evt_1', 'svc-event-type': 'wallet.credit_granted' },
    });
  });

  it('40: is read unchanged, at an offset beyond the range of a number', () => {
    const message = receivedMessage('svc.events.v1', 3, wire());
    expect(message).toMatchObject({ topic: 'svc.events.v1', partition: 3, offset: 9007199254740993n });
    expect(message.readEvent()).toEqual(event);
  });

  it.each([
    ['no key', { key: null }],
    ['an empty key', { key: Buffer.alloc(0) }],
    ['no value, which is a tombstone', { value: null }],
    ['a value that is not UTF-8', { value: Buffer.from([0xff, 0xfe]) }],
    ['no headers', { headers: {} }],
    ['no id', { headers: { 'svc-event-type': bytes('x') } }],
    [
      'several types',
      { headers: { 'svc-event-id': bytes('x'), 'svc-event-type': [bytes('x'), bytes('y')] } },
    ],
  ])('is none with %s, and can still be parked', (_what, changes: object) => {
    const message = receivedMessage('svc.events.v1', 3, wire(changes));
    expect(() => message.readEvent()).toThrow(UnprocessableEvent);
    expect(Buffer.isBuffer(message.payload)).toBe(true);
  });
});
