import { describe, expect, it } from 'vitest';
import { readTar, writeTar } from '../../src/load/k8s/tar.ts';
import { crdSchema, subsetSchema, validateTestRun } from '../../src/load/k8s/validate.ts';
import { segmentArguments } from '../../src/load/segments.ts';

const spec = {
  parallelism: 4,
  script: { configMap: { name: 'assay', file: 'archive.tar' } },
  runner: {
    image: 'grafana/k6:2.2.0',
    volumes: [{ name: 'keys', secret: { secretName: 'assay-keys' } }],
    volumeMounts: [{ name: 'keys', mountPath: '/secrets', readOnly: true }],
  },
};
const testRun = (change: object = {}): object => ({
  apiVersion: 'k6.io/v1alpha1',
  kind: 'TestRun',
  metadata: { name: 'assay-rl-exact' },
  spec: { ...spec, ...change },
});

/** A definition in the form of Kubernetes, with the extensions that it uses. */
const CRD = `
kind: CustomResourceDefinition
spec:
  versions:
    - name: v1alpha1
      schema:
        openAPIV3Schema:
          type: object
          properties:
            apiVersion: { type: string }
            kind: { type: string }
            metadata: { type: object }
            spec:
              type: object
              required: [parallelism, script]
              properties:
                parallelism: { type: integer, format: int32 }
                ports: { x-kubernetes-int-or-string: true }
                script:
                  type: object
                  properties:
                    configMap:
                      type: object
                      properties: { name: { type: string }, file: { type: string } }
                runner:
                  type: object
                  x-kubernetes-preserve-unknown-fields: true
                  properties: { image: { type: string } }
`;

describe('a TestRun', () => {
  it('keeps the shipped schema and a definition', () => {
    expect(validateTestRun(testRun(), subsetSchema())).toEqual([]);
    expect(validateTestRun(testRun({ ports: '80' }), crdSchema(CRD, 'crd.yaml'))).toEqual([]);
  });

  it.each([
    ['a typo', { paralelism: 4 }, '/spec/paralelism: is not known here'],
    ['a wrong type', { parallelism: '4' }, '/spec/parallelism: must be integer'],
    [
      'a typo further down',
      { script: { configMap: { name: 'a', file: 'b', fiel: 'c' } } },
      '/spec/script/configMap/fiel: is not known here',
    ],
  ])('is refused with %s, with the path', (_, change, problem) => {
    expect(validateTestRun(testRun(change), subsetSchema())).toContain(problem);
    expect(validateTestRun(testRun(change), crdSchema(CRD, 'crd.yaml'))).toContain(problem);
  });

  it('is refused with an image that is not pinned', () => {
    const runner = { ...spec.runner, image: 'grafana/k6:latest' };
    expect(validateTestRun(testRun({ runner }), subsetSchema()).join()).toContain(
      '/spec/runner/image',
    );
  });

  it('needs a definition with a schema', () => {
    expect(() => crdSchema('kind: ConfigMap', 'crd.yaml')).toThrow('holds no openAPIV3Schema');
  });
});

describe('an archive', () => {
  it('comes back as it was written, and the same every time', () => {
    const entries = [
      { name: 'metadata.json', type: '0', link: '', content: Buffer.from('{}') },
      { name: 'file/a.ts', type: '0', link: '', content: Buffer.alloc(1000, 'x') },
      { name: 'file/b.ts', type: '1', link: 'metadata.json', content: Buffer.alloc(0) },
    ];
    const archive = writeTar(entries);
    expect(readTar(archive)).toEqual(entries);
    expect(writeTar(readTar(archive)).equals(archive)).toBe(true);
  });
});

describe('segments', () => {
  it('are cut as the operator cuts them', () => {
    expect(segmentArguments(0, 1)).toEqual([]);
    expect(segmentArguments(1, 4)).toEqual([
      '--execution-segment=1/4:2/4',
      '--execution-segment-sequence=0,1/4,2/4,3/4,1',
    ]);
    expect(segmentArguments(3, 4)[0]).toBe('--execution-segment=3/4:1');
  });
});
