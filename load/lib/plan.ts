import type { LoadPlan } from '../../src/load/plan.ts';

const file = __ENV['ASSAY_PLAN'];
if (file === undefined) {
  throw new Error(
    'ASSAY_PLAN is not set. Start scenarios with `assay load`, which makes the plan.',
  );
}

/** The plan of this run. Read once in the init stage, where alone k6 allows it. */
export const plan = JSON.parse(open(file)) as LoadPlan;

const certificate = __ENV['ASSAY_CERTIFICATE'];

/** Certificate to show to the target, with its private key, both PEM; null for none. */
export const clientCertificate =
  certificate === undefined
    ? null
    : (JSON.parse(open(certificate)) as { readonly cert: string; readonly key: string });

/**
 * Start that several machines share: each has its own k6, which is told a moment in time and not "now". The environment
 * wins over the plan, so that one archive serves many runs.
 */
export const startAt =
  __ENV['ASSAY_START_AT'] === undefined ? plan.startAt : Number(__ENV['ASSAY_START_AT']);
