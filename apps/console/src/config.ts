import { z } from 'zod';
import { processVariables } from '@svc/http';
import { loadConfig } from '@svc/runtime/config';

const schema = z.object({ ...processVariables(8086) });

/** @throws ConfigError in one line that names what is wrong. */
export const readConfig = () => loadConfig(schema);
