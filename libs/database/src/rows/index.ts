export {
  Prisma,
  type AutoTopUp,
  type FineTunedModel,
  type FineTuningCheckpoint,
  type FineTuningEndpoint,
  type FineTuningEndpointRun,
  type FineTuningEndpointSlice,
  type FineTuningJob,
  type FineTuningJobEvent,
  type Payment,
  type PaymentMethod,
  type TrainingFile,
} from '../generated/prisma/client';
