import 'reflect-metadata';
import { documentOf, fineTuningRoutes, healthRoutes, inferenceRoutes } from '@svc/api';
import { collections } from './management.module';
import { publicStatus } from './status/status.controller';

/** Prints the OpenAPI document of the management API and of inference, for the console's typed client. Nothing runs. */
const document = documentOf({
  baseUrl: 'http://localhost:8080',
  controllers: [...collections, publicStatus].flatMap(({ controllers }) => controllers),
  otherRoutes: [inferenceRoutes, fineTuningRoutes, healthRoutes({ metricsNeedToken: false })],
  otherResources: [],
});
process.stdout.write(JSON.stringify(document));
