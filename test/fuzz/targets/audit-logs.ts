import { gzipSync } from 'node:zlib';
import type { RandomChoices } from '../../harness/random-choices.ts';
import { samples } from '../../harness/hostile-samples.ts';
import { mutateValue, oddTexts, corruptText } from '../../harness/hostile-value.ts';
import { bound } from '../../harness/importable-tests.ts';
import { amplify } from '../amplify.ts';
import { bytesOf, type FolderAct, type Target } from '../case.ts';
import { jsonText } from '../json-text.ts';
import { kindOf } from '../kind-of-collection.ts';

const maxEvents = 150;

/** Audit logs, for `kadmit diff` and `kadmit compat`. */
export const auditLogs: Target = {
  name: 'log',
  generate: (random) => [folder(random)],
};

function folder(random: RandomChoices): FolderAct {
  const events = Array.from({ length: 1 + random.upTo(maxEvents) }, (_none, index) => line(random, index));
  const text = events.join(random.chance(0.95) ? '\n' : random.pick(['\r\n', '', '\n\n', '\u2028']));
  const bytes = random.chance(0.25) ? gzipSync(text) : bytesOf(text);
  const files = {
    'audit.log': random.chance(0.1) ? bytes.subarray(0, random.upTo(bytes.length)) : bytes,
    'policy.yaml': bytesOf(bound),
  };
  const command = random.chance(0.8)
    ? ['diff', 'policy.yaml', '--audit-log', 'audit.log']
    : ['compat', '--from', '1.35', '--to', '1.36', 'policy.yaml', '--audit-log', 'audit.log'];
  return { act: 'folder', files, command };
}

const oddVerb = (random: RandomChoices): string => random.pick(['get', 'connect', '__proto__', '']);

function line(random: RandomChoices, index: number): string {
  const [collection, body] = random.pick(samples);
  const { group, version, kind } = kindOf(collection);
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const name = random.chance(0.9) ? `o-${index}` : random.pick(oddTexts);
  const [, namespace] = /\/namespaces\/([^/]+)\//.exec(collection) ?? [];
  let event: unknown = {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'RequestResponse',
    auditID: `${index}`,
    stage: 'ResponseComplete',
    requestURI: collection,
    verb: random.pick(['create', 'create', 'create', 'update', 'patch', 'delete', 'deletecollection', oddVerb(random)]),
    user: { username: 'bob', uid: '1', groups: ['dev'], extra: { a: ['b'] } },
    impersonatedUser: random.chance(0.1) ? { username: 'eve' } : undefined,
    objectRef: {
      resource: collection.split('/').at(-1),
      namespace,
      name,
      apiGroup: group,
      apiVersion: version,
      subresource: random.chance(0.1) ? random.pick(['status', 'scale', 'eviction', 'exec', '__proto__']) : undefined,
    },
    responseStatus: { code: random.chance(0.9) ? 201 : random.pick([200, 403, 0]) },
    requestObject: { apiVersion, kind, metadata: { name, namespace }, ...body },
    responseObject: random.chance(0.5)
      ? { apiVersion, kind, metadata: { name, namespace, uid: 'x' }, ...body }
      : undefined,
    requestReceivedTimestamp: '2026-01-01T00:00:00.000000Z',
    stageTimestamp: '2026-01-01T00:00:00.000000Z',
  };
  if (random.chance(0.4)) event = mutateValue(random, event);
  if (random.chance(0.003)) event = amplify(random, event);
  const text = jsonText(event);
  return random.chance(0.03) ? corruptText(random, text) : text;
}
