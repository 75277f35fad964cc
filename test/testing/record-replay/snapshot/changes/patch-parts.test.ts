import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../../src/machinery/json/json.ts';
import {
  patchParts,
  type PatchParts,
  type SpecialResource,
} from '../../../../../src/testing/record-replay/snapshot/changes/put-change.ts';

const newUid = (uid: string): string | undefined => ({ old: 'new' })[uid];

// A recorded patch is of all that changed in storage; a server lets each part be written in its own way.
const rows: readonly [fact: string, patch: JsonObject, treated: SpecialResource, parts: PatchParts][] = [
  [
    'labels',
    { metadata: { labels: { a: 'b' } } },
    'other',
    { finalizes: false, rest: { metadata: { labels: { a: 'b' } } } },
  ],
  [
    'what a server writes',
    { metadata: { resourceVersion: '5', generation: 2, managedFields: [] } },
    'other',
    { finalizes: false },
  ],
  [
    'status apart',
    { spec: { replicas: 2 }, status: { phase: 'Running' } },
    'other',
    { finalizes: false, rest: { spec: { replicas: 2 } }, status: { status: { phase: 'Running' } } },
  ],
  [
    'a field that goes',
    { spec: { paused: null }, data: null },
    'other',
    { finalizes: false, rest: { spec: { paused: null }, data: null } },
  ],
  ['the node of a Pod', { spec: { nodeName: 'node-1' } }, 'pods', { finalizes: false, node: 'node-1' }],
  [
    'nodeName of what is no Pod',
    { spec: { nodeName: 'node-1' } },
    'other',
    { finalizes: false, rest: { spec: { nodeName: 'node-1' } } },
  ],
  [
    'a deletion with patience',
    { metadata: { deletionTimestamp: 'then', deletionGracePeriodSeconds: 30 } },
    'pods',
    { finalizes: false, deletion: { gracePeriodSeconds: 30 } },
  ],
  ['a deletion', { metadata: { deletionTimestamp: 'then' } }, 'other', { finalizes: false, deletion: {} }],
  [
    'the finalizers of a Namespace',
    { spec: { finalizers: null }, status: { phase: 'Terminating' } },
    'namespaces',
    { finalizes: true, status: { status: { phase: 'Terminating' } } },
  ],
  [
    'owners by their new uids',
    {
      metadata: {
        ownerReferences: [
          { uid: 'old', name: 'a' },
          { uid: 'unknown', name: 'b' },
        ],
        '$setElementOrder/ownerReferences': [{ uid: 'old' }],
      },
    },
    'other',
    { finalizes: false, rest: { metadata: { ownerReferences: [{ uid: 'new', name: 'a' }] } } },
  ],
  [
    'finalizers that go',
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['a/b'] } },
    'other',
    { finalizes: false, rest: { metadata: { '$deleteFromPrimitiveList/finalizers': ['a/b'] } } },
  ],
];

test.each(rows)('%s', (_fact, patch, treated, parts) => {
  expect(patchParts(patch, treated, newUid)).toEqual(parts);
});
