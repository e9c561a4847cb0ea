import fc from 'fast-check';
import { type ProviderJob } from '../provider/fine-tuning-provider';
import { copyNameOf, retold } from './job-copies';
import { heldTokens, priceOfTokens } from './job-money';
import { epochsOf, hyperparametersOf } from './job-order';
import { isOpenJob, jobStates } from './job-state';
import { failureMessage, judgeJob } from './judge-job';
import { creatorOf, isTunedModelName, modelNameOf } from './model-name';
import { isGivenUp, retryDelayMs } from './retry-times';

const tokens = fc.bigInt({ min: 0n, max: 10n ** 12n });
const price = fc.bigInt({ min: 0n, max: 10n ** 12n });
const epochs = fc.integer({ min: 1, max: 50 });

describe('what is held for a job', () => {
  it('is its tokens in all epochs and a tenth more, rounded up, and at most what the provider trains', () => {
    fc.assert(
      fc.property(tokens, epochs, tokens, (fileTokens, times, maxTrainedTokens) => {
        const held = heldTokens({ fileTokens, epochs: times, maxTrainedTokens });
        const exactTenths = fileTokens * BigInt(times) * 11n;
        expect(held).toBeLessThanOrEqual(maxTrainedTokens);
        if (held < maxTrainedTokens) {
          expect(held * 10n).toBeGreaterThanOrEqual(exactTenths);
          expect(held * 10n - exactTenths).toBeLessThan(10n);
        }
      }),
    );
  });

  it('pays for every number of tokens up to it', () => {
    fc.assert(
      fc.property(tokens, epochs, tokens, price, (fileTokens, times, most, femtos) => {
        const held = heldTokens({ fileTokens, epochs: times, maxTrainedTokens: most });
        const trained = held / 2n;
        expect(priceOfTokens(trained, femtos)).toBeLessThanOrEqual(priceOfTokens(held, femtos));
      }),
    );
  });

  it('is exact below a nano-dollar, and rounded up once', () => {
    fc.assert(
      fc.property(tokens, price, (count, femtos) => {
        const rest = priceOfTokens(count, femtos) * 1_000_000n - count * femtos;
        expect(rest).toBeGreaterThanOrEqual(0n);
        expect(rest).toBeLessThan(1_000_000n);
      }),
    );
    expect(heldTokens({ fileTokens: 1_000n, epochs: 3, maxTrainedTokens: 1_000_000n })).toBe(3_300n);
    expect(priceOfTokens(3_300n, 37_500_000n)).toBe(123_750n);
  });
});

const job = (said: Partial<ProviderJob>): ProviderJob => ({
  id: 'up_1',
  status: 'running',
  trainedTokens: null,
  fineTunedModel: null,
  epochs: null,
  estimatedFinishAt: null,
  failure: null,
  ...said,
});
const arbitraryJob: fc.Arbitrary<ProviderJob> = fc.record({
  id: fc.string(),
  status: fc.constantFrom(...jobStates),
  trainedTokens: fc.option(tokens),
  fineTunedModel: fc.option(fc.string({ minLength: 1 })),
  epochs: fc.option(epochs),
  estimatedFinishAt: fc.constant(null),
  failure: fc.option(fc.record({ code: fc.string(), isFile: fc.boolean() })),
});
const openState = fc.constantFrom(...jobStates.filter(isOpenJob));

describe('an answer about a job', () => {
  it('ends it only as the provider says, whatever was asked', () => {
    fc.assert(
      fc.property(openState, fc.boolean(), arbitraryJob, (state, cancelRequested, said) => {
        const verdict = judgeJob({ state, cancelRequested }, said);
        const open = isOpenJob(said.status);
        expect(verdict.action === 'continue').toBe(open);
        if (verdict.action === 'succeed') expect(said.status).toBe('succeeded');
        if (said.status === 'cancelled') expect(verdict.action).toBe('cancel');
      }),
    );
  });

  it('never takes it back', () => {
    fc.assert(
      fc.property(openState, fc.boolean(), arbitraryJob, (state, cancelRequested, said) => {
        const verdict = judgeJob({ state, cancelRequested }, said);
        if (verdict.action !== 'continue') return;
        expect(jobStates.indexOf(verdict.state)).toBeGreaterThanOrEqual(jobStates.indexOf(state));
        expect(verdict.state).not.toBe('validating_files');
      }),
    );
  });

  it('that comes as a cancellation meets success is success', () => {
    const said = job({ status: 'succeeded', trainedTokens: 5n, fineTunedModel: 'ft:x' });
    expect(judgeJob({ state: 'running', cancelRequested: true }, said)).toEqual({
      action: 'succeed',
      trainedTokens: 5n,
      upstreamModel: 'ft:x',
    });
  });

  it('of success without its tokens or its model is asked for again', () => {
    const judged = { state: 'running', cancelRequested: false } as const;
    expect(judgeJob(judged, job({ status: 'succeeded', trainedTokens: 5n }))).toEqual({ action: 'askAgain' });
    expect(judgeJob(judged, job({ status: 'succeeded', fineTunedModel: 'm' }))).toEqual({
      action: 'askAgain',
    });
  });

  it('of failure says whose fault it is, and shows no text of the provider', () => {
    const judged = { state: 'running', cancelRequested: false } as const;
    const refused = job({ status: 'failed', failure: { code: 'invalid_file', isFile: true } });
    expect(judgeJob(judged, refused)).toMatchObject({ action: 'fail', code: 'training_file_rejected' });
    const broken = job({ status: 'failed', failure: { code: 'the prompt said: hello', isFile: false } });
    expect(judgeJob(judged, broken)).toEqual({
      action: 'fail',
      code: 'provider_error',
      message: 'The provider could not train the model.',
    });
    expect(failureMessage('provider_error', 'server_error')).toContain('(server_error)');
  });

  it('of a cancelled job charges the tokens that it reports, else none', () => {
    const judged = { state: 'running', cancelRequested: true } as const;
    expect(judgeJob(judged, job({ status: 'cancelled', trainedTokens: 7n }))).toEqual({
      action: 'cancel',
      trainedTokens: 7n,
    });
    expect(judgeJob(judged, job({ status: 'cancelled' }))).toEqual({ action: 'cancel', trainedTokens: 0n });
    expect(judgeJob(judged, job({ status: 'failed' }))).toEqual({ action: 'cancel', trainedTokens: 0n });
  });
});

describe('the name of a model', () => {
  const bytes = fc.uint8Array({ minLength: 8, maxLength: 8 });

  it('has the form ft-<8 letters>/<base>-<suffix or date>-<6 letters>', () => {
    fc.assert(
      fc.property(bytes, bytes, fc.option(fc.stringMatching(/^[a-z0-9-]{1,18}$/)), (one, other, suffix) => {
        const creator = creatorOf(one);
        const at = new Date('2026-11-25T10:00:00Z');
        const name = modelNameOf({ creator, baseModel: 'acme/small', suffix, at, entropy: other });
        expect(name).toMatch(/^ft-[a-z]{8}\/small-[a-z0-9-]+-[a-z]{6}$/);
        expect(name).toContain(`/small-${suffix ?? '20261125'}-`);
        expect(isTunedModelName(name)).toBe(true);
      }),
    );
  });

  it.each(['acme/small', 'ft-acme/small', 'ft-abcdefghi/small', 'ft-abcdefgh', 'x', ''])(
    'is told from others: %j',
    (name) => {
      expect(isTunedModelName(name)).toBe(false);
    },
  );
});

describe('hyperparameters', () => {
  it('stand beside the method or in it, and are automatic otherwise', () => {
    const auto = { epochs: 'auto', batchSize: 'auto', learningRateMultiplier: 'auto' };
    expect(hyperparametersOf({})).toEqual(auto);
    expect(hyperparametersOf({ hyperparameters: { n_epochs: 2 } })).toEqual({ ...auto, epochs: 2 });
    const method = { type: 'supervised', supervised: { hyperparameters: { batch_size: 4 } } } as const;
    expect(hyperparametersOf({ method })).toEqual({ ...auto, batchSize: 4 });
    expect(() => hyperparametersOf({ method, hyperparameters: {} })).toThrow('beside method');
  });

  it('name the field with more epochs than a model takes', () => {
    const range = { default: 3, max: 10 };
    const epochsIn = (given: Parameters<typeof epochsOf>[2]) =>
      epochsOf(hyperparametersOf(given), range, given);
    expect(epochsIn({})).toBe(3);
    expect(epochsIn({ hyperparameters: { n_epochs: 10 } })).toBe(10);
    expect(() => epochsIn({ hyperparameters: { n_epochs: 11 } })).toThrow('hyperparameters.n_epochs');
    const method = { type: 'supervised', supervised: { hyperparameters: { n_epochs: 11 } } } as const;
    expect(() => epochsIn({ method })).toThrow('method.supervised.hyperparameters.n_epochs');
  });
});

describe('a worker that gets nowhere', () => {
  it('waits longer each time, and 5 minutes at most', () => {
    expect([1, 2, 3, 7, 50].map(retryDelayMs)).toEqual([5_000, 10_000, 20_000, 300_000, 300_000]);
  });

  it('gives up a provider that is out of reach after 72 hours, and one that forgot a job after one', () => {
    const since = new Date(0);
    const after = (hours: number) => new Date(hours * 3_600_000);
    expect(isGivenUp(since, after(71.9), 'unreachable')).toBe(false);
    expect(isGivenUp(since, after(72), 'unreachable')).toBe(true);
    expect(isGivenUp(since, after(0.9), 'forgotten')).toBe(false);
    expect(isGivenUp(since, after(1), 'forgotten')).toBe(true);
  });
});

it('a message of the provider names our things, and a copy of a file carries the id of its job', () => {
  const names = {
    jobId: 'ftjob_1',
    modelName: 'ft-abcdefgh/small-x-abcdef',
    trainingFileId: 'file_1',
    validationFileId: null,
    upstreamJob: 'ftjob-up',
    upstreamModel: 'ft:small:org::1',
    upstreamTrainingFile: 'file-up',
    upstreamValidationFile: null,
  };
  expect(retold('Job ftjob-up made ft:small:org::1 of file-up', names)).toBe(
    'Job ftjob_1 made ft-abcdefgh/small-x-abcdef of file_1',
  );
  expect(copyNameOf('ftjob_1', 'training')).toBe('ftjob_1-training.jsonl');
});
