import { Controller, type INestApplication, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern, Payload } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import { createHttpServer, MountedAdapter, startListening } from '@svc/http';
import { createLogger } from '@svc/runtime/observability';
import { type EventBatchHandler, type EventHandler, type EventRecord, EVENTS } from '../event-record';
import { type EventClient } from '../strategy/event-client';
import { type EventServer } from '../strategy/event-server';

/** An event server and client for specs, used as in services: by a hybrid application and by a relay. */
export class TestedTransport<S extends EventServer = EventServer, C extends EventClient = EventClient> {
  private app: INestApplication | null = null;

  constructor(
    readonly server: S,
    readonly client: C,
  ) {}

  /** Starts an application with a handler for each group. */
  listen(handlers: Readonly<Record<string, EventHandler>>): Promise<void> {
    return this.listenWith(Object.entries(handlers).map(([group, handle]) => controllerOf(group, handle)));
  }

  /** Starts an application whose handler takes up to `eventsMax` events together. */
  listenTogether(group: string, eventsMax: number, handle: EventBatchHandler): Promise<void> {
    @Controller()
    class Listener {
      @EventPattern(EVENTS, { group, eventsMax })
      take(@Payload() events: readonly EventRecord[]): Promise<void> {
        return handle(events);
      }
    }
    return this.listenWith([Listener]);
  }

  async listenWith(controllers: Type[]): Promise<void> {
    const adapter = new MountedAdapter(createHttpServer({ logger }));
    this.app = await NestFactory.create({ module: Listeners, controllers }, adapter, {
      logger: false,
      abortOnError: false,
    });
    await startListening(this.app, this.server);
  }

  publish(events: readonly EventRecord[]): Promise<unknown> {
    return lastValueFrom(this.client.emit(EVENTS, events));
  }

  /** Closes the application too, if there is one. */
  async closeServer(): Promise<void> {
    await (this.app ?? this.server).close();
  }

  async close(): Promise<void> {
    await this.closeServer();
    await this.client.close();
  }
}

const logger = createLogger({ service: 'messaging-spec', level: 'silent' });

@Module({})
class Listeners {}

function controllerOf(group: string, handle: EventHandler): Type {
  @Controller()
  class Listener {
    @EventPattern(EVENTS, { group })
    take(@Payload() event: EventRecord): Promise<void> {
      return handle(event);
    }
  }
  return Listener;
}
