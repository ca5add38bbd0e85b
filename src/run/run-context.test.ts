import { describe, expect, it } from 'vitest';
import type { Target } from '../target/target.ts';
import { readContext, withoutSecrets } from './run-context.ts';

const SHA = '6f3b5888c1d2e3f405162738495a6b7c8d9e0f11';

describe('readContext', () => {
  it.each([
    [
      'GitHub Actions',
      {
        GITHUB_ACTIONS: 'true',
        GITHUB_SHA: SHA,
        GITHUB_REF_NAME: '7/merge',
        GITHUB_HEAD_REF: 'topic',
        GITHUB_WORKFLOW: 'ci',
        GITHUB_JOB: 'assay',
        GITHUB_SERVER_URL: 'https://github.com',
        GITHUB_REPOSITORY: 'acme/api',
        GITHUB_RUN_ID: '42',
      },
      {
        branch: 'topic',
        job: 'ci / assay',
        url: 'https://github.com/acme/api/actions/runs/42',
      },
    ],
    [
      'GitLab CI',
      {
        GITLAB_CI: 'true',
        CI_COMMIT_SHA: SHA,
        CI_COMMIT_REF_NAME: 'main',
        CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: '',
        CI_JOB_NAME: 'assay',
        CI_JOB_URL: 'https://gitlab.example/acme/api/-/jobs/42',
      },
      { branch: 'main', job: 'assay', url: 'https://gitlab.example/acme/api/-/jobs/42' },
    ],
    [
      'Jenkins',
      {
        JENKINS_URL: 'https://jenkins.example/',
        GIT_COMMIT: SHA,
        GIT_BRANCH: 'origin/main',
        BRANCH_NAME: 'main',
        JOB_NAME: 'api/main',
        BUILD_NUMBER: '42',
        BUILD_URL: 'https://jenkins.example/job/api/job/main/42/',
      },
      {
        branch: 'main',
        job: 'api/main #42',
        url: 'https://jenkins.example/job/api/job/main/42/',
      },
    ],
    [
      'Azure Pipelines',
      {
        TF_BUILD: 'True',
        BUILD_SOURCEVERSION: SHA,
        BUILD_SOURCEBRANCH: 'refs/heads/feature/x',
        BUILD_DEFINITIONNAME: 'api',
        SYSTEM_JOBDISPLAYNAME: 'Assay',
        SYSTEM_COLLECTIONURI: 'https://dev.azure.com/acme/',
        SYSTEM_TEAMPROJECT: 'Market Data',
        BUILD_BUILDID: '42',
      },
      {
        branch: 'feature/x',
        job: 'api / Assay',
        url: 'https://dev.azure.com/acme/Market%20Data/_build/results?buildId=42',
      },
    ],
    [
      'Buildkite',
      {
        BUILDKITE: 'true',
        BUILDKITE_COMMIT: SHA,
        BUILDKITE_BRANCH: 'main',
        BUILDKITE_PIPELINE_SLUG: 'api',
        BUILDKITE_LABEL: 'assay',
        BUILDKITE_BUILD_URL: 'https://buildkite.com/acme/api/builds/42',
        BUILDKITE_JOB_ID: '0190',
      },
      {
        branch: 'main',
        job: 'api / assay',
        url: 'https://buildkite.com/acme/api/builds/42#0190',
      },
    ],
  ])('reads what %s sets', (ci, env, told) => {
    expect(readContext(env, {})).toEqual({ ci, commit: SHA, ...told });
  });

  it('builds no link from an incomplete address', () => {
    const env = { GITHUB_ACTIONS: 'true', GITHUB_SERVER_URL: 'https://github.com' };
    expect(readContext(env, {})).toEqual({ ci: 'GitHub Actions' });
  });

  it('is empty when nothing is set', () => {
    expect(
      readContext({ CI: 'true', GITHUB_ACTIONS: 'false', GIT_COMMIT: SHA }, {}),
    ).toBeUndefined();
  });

  it('prefers labels over the environment', () => {
    const env = { GITLAB_CI: 'true', CI_COMMIT_SHA: SHA, CI_JOB_NAME: 'assay' };
    expect(readContext(env, { commit: 'abc1234', release: '2026.11', constructor: 'x' })).toEqual({
      ci: 'GitLab CI',
      commit: 'abc1234',
      job: 'assay',
      labels: { release: '2026.11', constructor: 'x' },
    });
  });

  it('accepts only web addresses without credentials', () => {
    const urlOf = (url: string): string | undefined => readContext({}, { job: 'x', url })?.url;
    expect(urlOf('javascript:alert(1)')).toBeUndefined();
    expect(urlOf('not an address')).toBeUndefined();
    expect(urlOf('https://user:hunter22@ci.example/7?access_token=hunter22&tab=log')).toBe(
      'https://ci.example/7?access_token=%5Bredacted%5D&tab=log',
    );
  });

  it('cuts what is too long', () => {
    expect(readContext({}, { branch: 'x'.repeat(5000) })?.branch).toHaveLength(300);
  });
});

describe('withoutSecrets', () => {
  const target = {
    keys: { valid: ['valid-key-1234567'] },
    http: { headers: { 'X-Auth-Token': 'header-secret-99' }, proxy: null },
  } as unknown as Pick<Target, 'keys' | 'http'>;

  it('redacts the secrets of the target in every text and encoding', () => {
    const encoded = Buffer.from('valid-key-1234567').toString('base64');
    const twice = Buffer.from(Buffer.from('valid-key-1234567').toString('hex')).toString('base64');
    const context = withoutSecrets(
      {
        branch: 'topic/valid-key-1234567',
        job: `job ${encoded}`,
        commit: twice,
        labels: { note: 'VALID-KEY-1234567', header: 'header-secret-99', 'valid-key-1234567': 'x' },
      },
      target,
    );
    const text = JSON.stringify(context).toLowerCase();
    for (const secret of ['valid-key-1234567', 'header-secret-99', encoded.toLowerCase()]) {
      expect(text).not.toContain(secret);
    }
    expect(context.branch).toBe('topic/[redacted]');
  });

  it('redacts the values of labels with names like secrets', () => {
    const labels = { deploy_token: 'hunter22', Password: 'x', environment: 'staging' };
    expect(withoutSecrets({ labels }, {}).labels).toEqual({
      deploy_token: '[redacted]',
      Password: '[redacted]',
      environment: 'staging',
    });
  });

  it('leaves text without secrets unchanged', () => {
    const context = { ci: 'Jenkins', commit: SHA, labels: { a: 'b' } };
    expect(withoutSecrets(context, target)).toEqual(context);
  });
});
