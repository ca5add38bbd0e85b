import type { LoadPlan } from '../../src/load/plan.ts';

const file = __ENV['ASSAY_PLAN'];
if (file === undefined) {
  throw new Error('ASSAY_PLAN is not set. Run scenarios with `assay load`, which writes the plan.');
}

/** The plan of this run. k6 allows reading files only in the init stage. */
export const plan = JSON.parse(open(file)) as LoadPlan;

const certificate = __ENV['ASSAY_CERTIFICATE'];

/** Client certificate with its private key, both PEM; null for none. */
export const clientCertificate =
  certificate === undefined
    ? null
    : (JSON.parse(open(certificate)) as { readonly cert: string; readonly key: string });
