import { type Provider, type Type } from '@nestjs/common';
import { type Database } from '@svc/database';

/** One folder of the management API, as its main controller file exports it. The module lists them. */
export interface Collection {
  readonly controllers: readonly Type[];
  /** The classes that decide and change. A constructor names stores, other services and the tokens of `runtime.ts`. */
  readonly services: readonly Provider[];
  /** Made with the database alone. Several collections may name the same one. */
  readonly stores: readonly StoreType[];
}

type StoreType = new (database: Database) => object;

/** The stores of all collections, each once, and the services. */
export function providersOf(collections: readonly Collection[], database: Database): Provider[] {
  const stores = new Set(collections.flatMap((collection) => collection.stores));
  return [
    ...Array.from(stores, (Store) => ({ provide: Store, useFactory: () => new Store(database) })),
    ...collections.flatMap(({ services }) => services),
  ];
}
