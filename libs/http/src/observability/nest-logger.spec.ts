import { createLogger } from '@svc/runtime/observability';
import { nestLogger } from './nest-logger';

describe('the log of the framework', () => {
  it('has only its warnings and errors', () => {
    const lines: string[] = [];
    const nest = nestLogger(
      createLogger({ service: 'edge', level: 'info' }, { write: (line) => void lines.push(line) }),
    );
    nest.log('Nest application successfully started', 'NestApplication');
    nest.warn('deprecated', 'Router');
    nest.error(new Error('no provider'), 'Injector');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: 'warn', msg: 'deprecated', context: 'Router' }),
      expect.objectContaining({ level: 'error', msg: 'no provider', context: 'Injector' }),
    ]);
  });
});
