import { z } from 'zod';
import { loadConfig, processVariables } from '@svc/platform';

const schema = z.object({ ...processVariables(8086) });

/** @throws ConfigError in one line that names what is wrong. */
export const readConfig = () => loadConfig(schema);
