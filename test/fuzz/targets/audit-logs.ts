import { gzipSync } from 'node:zlib';
import type { Draw } from '../../harness/draw.ts';
import { samples } from '../../harness/hostile-samples.ts';
import { mutateValue, oddTexts, corruptText } from '../../harness/hostile-value.ts';
import { bound } from '../../harness/tests-of-others.ts';
import { amplified } from '../amplify.ts';
import { bytesOf, type FolderAct, type Target } from '../case.ts';
import { jsonText } from '../json-text.ts';
import { kindOf } from '../kind-of.ts';

const most = 150;

/** Audit logs, for `kadmit diff` and `kadmit compat`. */
export const auditLogs: Target = {
  name: 'log',
  draw: (draw) => [folder(draw)],
};

function folder(draw: Draw): FolderAct {
  const events = Array.from({ length: 1 + draw.upTo(most) }, (_none, index) => line(draw, index));
  const text = events.join(draw.chance(0.95) ? '\n' : draw.one(['\r\n', '', '\n\n', '\u2028']));
  const bytes = draw.chance(0.25) ? gzipSync(text) : bytesOf(text);
  const files = {
    'audit.log': draw.chance(0.1) ? bytes.subarray(0, draw.upTo(bytes.length)) : bytes,
    'policy.yaml': bytesOf(bound),
  };
  const command = draw.chance(0.8)
    ? ['diff', 'policy.yaml', '--audit-log', 'audit.log']
    : ['compat', '--from', '1.35', '--to', '1.36', 'policy.yaml', '--audit-log', 'audit.log'];
  return { act: 'folder', files, command };
}

const oddVerb = (draw: Draw): string => draw.one(['get', 'connect', '__proto__', '']);

function line(draw: Draw, index: number): string {
  const [collection, body] = draw.one(samples);
  const { group, version, kind } = kindOf(collection);
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const name = draw.chance(0.9) ? `o-${index}` : draw.one(oddTexts);
  const [, namespace] = /\/namespaces\/([^/]+)\//.exec(collection) ?? [];
  let event: unknown = {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'RequestResponse',
    auditID: `${index}`,
    stage: 'ResponseComplete',
    requestURI: collection,
    verb: draw.one(['create', 'create', 'create', 'update', 'patch', 'delete', 'deletecollection', oddVerb(draw)]),
    user: { username: 'bob', uid: '1', groups: ['dev'], extra: { a: ['b'] } },
    impersonatedUser: draw.chance(0.1) ? { username: 'eve' } : undefined,
    objectRef: {
      resource: collection.split('/').at(-1),
      namespace,
      name,
      apiGroup: group,
      apiVersion: version,
      subresource: draw.chance(0.1) ? draw.one(['status', 'scale', 'eviction', 'exec', '__proto__']) : undefined,
    },
    responseStatus: { code: draw.chance(0.9) ? 201 : draw.one([200, 403, 0]) },
    requestObject: { apiVersion, kind, metadata: { name, namespace }, ...body },
    responseObject: draw.chance(0.5)
      ? { apiVersion, kind, metadata: { name, namespace, uid: 'x' }, ...body }
      : undefined,
    requestReceivedTimestamp: '2026-01-01T00:00:00.000000Z',
    stageTimestamp: '2026-01-01T00:00:00.000000Z',
  };
  if (draw.chance(0.4)) event = mutateValue(draw, event);
  if (draw.chance(0.003)) event = amplified(draw, event);
  const text = jsonText(event);
  return draw.chance(0.03) ? corruptText(draw, text) : text;
}
