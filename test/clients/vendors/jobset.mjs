import { join } from 'node:path';
import { rotatingManager } from './rotating-manager.mjs';

/** A JobSet, whose Jobs are made and completed, and one that waits for a Job it has not. */
export const jobset = (folder, scratch) =>
  rotatingManager(scratch, {
    name: 'jobset',
    module: 'sigs.k8s.io/jobset@v0.10.1',
    program: '.',
    steps: [
      { args: ['apply', '-f', join(folder, 'testdata', 'jobset-allowed.yaml')], out: 'work created' },
      {
        args: ['apply', '-f', join(folder, 'testdata', 'jobset-refused.yaml')],
        refused:
          'admission webhook "vjobset.kb.io" denied the request: ' +
          "invalid replicatedJob name 'missing' does not appear in .spec.ReplicatedJobs",
      },
      { args: ['get', 'job', 'work-workers-0', '-o', 'jsonpath={.status.conditions[*].type}'], out: 'Complete' },
      { args: ['get', 'jobset', 'work', '-o', 'jsonpath={.status.terminalState}'], out: 'Completed' },
    ],
  });
