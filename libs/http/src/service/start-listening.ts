import { Catch, type ExceptionFilter, type INestApplication, type ITransportServer } from '@nestjs/common';

/**
 * Connects an application's event handlers to the transport. Call it before the application is initialised, so that
 * tasks started then find handlers for their events.
 */
export async function startListening(app: INestApplication, transport: ITransportServer): Promise<void> {
  app.useGlobalFilters(new RethrowFilter());
  app.connectMicroservice({ strategy: transport }, { inheritAppConfig: true });
  await app.startAllMicroservices();
}

/** Rethrows a handler's error to the transport. Nest would log it and pass on "Internal server error" instead. */
@Catch()
class RethrowFilter implements ExceptionFilter {
  catch(thrown: unknown): never {
    throw thrown;
  }
}
