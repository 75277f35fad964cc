import { expect, test } from 'vitest';
import { inTurns } from '../../../src/apimachinery/in-turns.ts';
import { jobStatusErrors } from '../../../src/schema/validate/job-status.ts';
import { unqualifiedFinalizers } from '../../../src/schema/validate/object-meta.ts';
import { podWarnings } from '../../../src/schema/validate/pod-warnings.ts';
import { projectedErrors } from '../../../src/schema/validate/projected-volume.ts';
import { validatePodSecurityContext } from '../../../src/schema/validate/security-context.ts';
import { topologyErrors } from '../../../src/schema/validate/topology-terms.ts';
import { alwaysLate } from '../../harness/turns.ts';

// What stands twice in a long list is told of, however often others are let in between the first and the second.

const many = 100;
const list = <T>(item: (name: string) => T): T[] => Array.from({ length: many }, (_none, at) => item(`n${at % 50}`));

const job = (succeeded: string[], failed: string[]) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'j' },
  status: { uncountedTerminatedPods: { succeeded, failed } },
});
const pod = (spec: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const term = (name: string) => ({ matchLabelExpressions: [{ key: 'a', values: [name] }] });
const itself = (name: string): string => name;
const file = (name: string) => ({ path: name, fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } });

const repeats: Readonly<Record<string, readonly [told: number, work: () => readonly unknown[]]>> = {
  'Pods of a Job that were not counted': [50, () => jobStatusErrors(job(list(itself), []), job([], []))],
  'Pods of a Job that succeeded and failed': [150, () => jobStatusErrors(job(list(itself), list(itself)), job([], []))],
  'settings of the kernel': [
    50,
    () =>
      validatePodSecurityContext(
        { containers: [], securityContext: { sysctls: list((name) => ({ name, value: '1' })) } },
        '',
      ),
  ],
  'files of a ConfigMap in a directory of several sources': [
    50,
    () =>
      projectedErrors(
        { sources: [{ configMap: { name: 'c', items: list((name) => ({ key: 'k', path: name })) } }] },
        '',
      ),
  ],
  'sources of one file': [
    50,
    () => projectedErrors({ sources: list((name) => ({ downwardAPI: { items: [file(name)] } })) }, ''),
  ],
  'terms of a topology': [50, () => topologyErrors(list(term))],
  'addresses of host aliases, of which is warned': [
    50,
    () => podWarnings(pod({ hostAliases: list((name) => ({ ip: name })) })),
  ],
  'Secrets of images, of which is warned': [
    50,
    () => podWarnings(pod({ imagePullSecrets: list((name) => ({ name })) })),
  ],
  'finalizers without a domain': [many, () => unqualifiedFinalizers({ finalizers: list(itself) })],
};

test.each(Object.entries(repeats))('%s', (_what, [told, work]) => {
  const late = alwaysLate();
  const complaints = inTurns(work, late);
  expect(complaints).toEqual(work());
  expect(complaints).toHaveLength(told);
  expect(late.asked()).toBeGreaterThanOrEqual(many);
});
