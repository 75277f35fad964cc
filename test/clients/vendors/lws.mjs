import { join } from 'node:path';
import { rotatingManager } from './rotating-manager.mjs';

/** A LeaderWorkerSet whose groups become ready, and an invalid one. */
export const lws = (folder, scratch) =>
  rotatingManager(scratch, {
    name: 'lws',
    module: 'sigs.k8s.io/lws@v0.7.0',
    program: './cmd',
    steps: [
      { args: ['apply', '-f', join(folder, 'testdata', 'lws-allowed.yaml')], out: 'groups created' },
      {
        args: ['apply', '-f', join(folder, 'testdata', 'lws-refused.yaml')],
        refused:
          'admission webhook "vleaderworkerset.kb.io" denied the request: spec.leaderWorkerTemplate.size: Invalid value: 0: ' +
          'size must be equal or greater than 1',
      },
      { args: ['get', 'leaderworkerset', 'groups', '-o', 'jsonpath={.status.readyReplicas} ready'], out: '2 ready' },
      { args: ['get', 'pod', 'groups-1-1', '-o', 'jsonpath={.status.phase}'], out: 'Running' },
    ],
  });
