import { describeCalls } from './call-transport.contract';
import { InProcessCallClient } from './in-process/in-process-call-client';
import { InProcessEventClient } from './in-process/in-process-event-client';
import { InProcessEventServer } from './in-process/in-process-event-server';
import { TestedTransport, transportOptions } from './testing';

describeCalls('in process', (parking) => {
  const server = new InProcessEventServer(transportOptions(parking));
  const transport = new TestedTransport(server, new InProcessEventClient(server));
  return { transport, calls: new InProcessCallClient(server) };
});
