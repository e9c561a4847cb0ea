import { type IHeaders, type KafkaMessage, type Message } from 'kafkajs';
import { type ReceivedMessage } from '../consumption/received-message';
import { type EventRecord } from '../event-record';
import { UnprocessableEvent } from '../message-parking';

const ID_HEADER = 'svc-event-id';
const TYPE_HEADER = 'svc-event-type';

/**
 * An event as a Kafka message: the key is the organization, the value the envelope's bytes, and headers hold id and
 * type.
 */
export const messageOf = ({ id, type, organizationId, payload }: EventRecord): Message => ({
  key: organizationId,
  value: payload,
  headers: { [ID_HEADER]: id, [TYPE_HEADER]: type },
});

export function receivedMessage(topic: string, partition: number, message: KafkaMessage): ReceivedMessage {
  return {
    topic,
    partition,
    offset: BigInt(message.offset),
    key: message.key?.toString() ?? null,
    payload: message.value ?? Buffer.alloc(0),
    readEvent: () => readEvent(message),
  };
}

function readEvent({ key, value, headers }: KafkaMessage): EventRecord {
  return {
    id: readText('header ' + ID_HEADER, headerOf(headers, ID_HEADER)),
    type: readText('header ' + TYPE_HEADER, headerOf(headers, TYPE_HEADER)),
    organizationId: readText('key', key),
    payload: readText('value', value),
  };
}

function headerOf(headers: IHeaders | undefined, name: string): Buffer | null {
  const value = headers?.[name];
  return Buffer.isBuffer(value) ? value : null;
}

function readText(part: string, bytes: Buffer | null): string {
  if (bytes === null || bytes.length === 0) throw new UnprocessableEvent(`The message has no ${part}.`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UnprocessableEvent(`The message's ${part} is not UTF-8.`);
  }
}
