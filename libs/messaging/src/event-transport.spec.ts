import { describeEvents } from './event-transport.contract';
import { InProcessEventClient } from './in-process/in-process-event-client';
import { InProcessEventServer } from './in-process/in-process-event-server';
import { TestedTransport, transportOptions } from './testing';

describeEvents('in process', (parking) => {
  const server = new InProcessEventServer(transportOptions(parking));
  return new TestedTransport(server, new InProcessEventClient(server));
});
