import { isRecord, type JsonRecord } from './byte-text';

/** Readers of unvalidated JSON from callers and providers: a value of another type becomes an empty one. */

export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const recordIn = (value: unknown): JsonRecord => (isRecord(value) ? value : {});

export const recordsIn = (value: unknown): readonly JsonRecord[] => listIn(value).filter(isRecord);

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
