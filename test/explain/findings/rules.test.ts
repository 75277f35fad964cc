import { expect, test } from 'vitest';
import { valueAt } from '../../../src/machinery/json/json.ts';
import { findingsOf } from '../../../src/explain/findings/findings-of.ts';
import type { FindingRule } from '../../../src/explain/findings/finding.ts';
import { type RequestStory, type SentRequest, traceOf } from '../../harness/trace-requests.ts';
import { add, again, always, envForEach, inject, podHook, podOf, podStory } from '../../harness/pod-story.ts';

const late = { name: 'late', image: 'late:1' };
const hook = 'hook.example.com';
const side = 'side.example.com';
const two = [podHook('a-hook', hook), podHook('b-side', side)];
const twoAgain = [podHook('a-hook', hook, again), podHook('b-side', side)];
const namespaces = '/api/v1/namespaces';
const account: SentRequest = ['POST', `${namespaces}/default/serviceaccounts`, { metadata: { name: 'default' } }];
const restricted: SentRequest = [
  'PATCH',
  `${namespaces}/default`,
  { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } },
];
const inDefault = (plural: string, object: object): SentRequest => ['POST', `${namespaces}/default/${plural}`, object];
const inject2 = (name: string) => inject('initContainers', { name, image: 'i:1' });

/** A set-up for each rule, and what it says. */
const found: readonly [fact: string, story: RequestStory, rule: FindingRule, title: RegExp][] = [
  [
    'a webhook refuses the label that it set itself',
    podStory(twoAgain, {
      [hook]: ({ object }) =>
        valueAt(object, 'metadata', 'labels', 'seen') === undefined
          ? { patch: [add('/metadata/labels', { seen: 'yes' })] }
          : { allowed: false, status: { message: 'label seen is already set' } },
      [side]: inject('containers', late),
    }),
    'refused-own-work',
    /^hook\.example\.com \(a-hook\) denied in the second round what it had allowed in the first$/,
  ],
  [
    'PodSecurity refuses a container that a webhook added',
    podStory(
      two,
      { [side]: inject('containers', { name: 's', image: 's:1', securityContext: { privileged: true } }) },
      { before: [account, restricted] },
    ),
    'refused-others-work',
    /^plugin PodSecurity denied, and its message names container s, which side\.example\.com \(b-side\) added$/,
  ],
  [
    'a validating webhook refuses a label that another set',
    podStory(
      two,
      {
        [hook]: always(add('/metadata/labels', { tier: 'gold' })),
        'check.example.com': () => ({ allowed: false, status: { message: 'label "tier" must not be set' } }),
      },
      { validating: [podHook('c-check', 'check.example.com')] },
    ),
    'refused-others-work',
    /^check\.example\.com \(c-check\) denied, and its message names label tier, which hook\.example\.com \(a-hook\) added$/,
  ],
  [
    'a patch for an item behind the end of the list',
    podStory(two, {
      [side]: always(
        { op: 'remove', path: '/spec/containers/0' },
        { op: 'replace', path: '/spec/containers/1/image', value: 'x' },
      ),
    }),
    'stale-index',
    /^side\.example\.com \(b-side\) patched spec\.containers\[1\], but an earlier operation left 0 items$/,
  ],
  [
    'a patch for an item behind the end of the list, after something else was removed',
    podStory(two, {
      [side]: always(
        add('/metadata/labels', { a: 'b' }),
        { op: 'remove', path: '/metadata/labels/a' },
        { op: 'replace', path: '/spec/containers/1/image', value: 'x' },
      ),
    }),
    'stale-index',
    /^side\.example\.com \(b-side\) patched spec\.containers\[1\], but the list has 1 item$/,
  ],
  [
    'a patch that removed an item before and counts as if it were there',
    podStory(
      two,
      {
        [side]: always(
          { op: 'remove', path: '/spec/containers/0' },
          { op: 'replace', path: '/spec/containers/1/image', value: 'x' },
        ),
      },
      {
        sent: [
          podOf({
            containers: [
              { name: 'a', image: 'a:1' },
              { name: 'b', image: 'b:1' },
            ],
          }),
        ],
      },
    ),
    'stale-index',
    /^side\.example\.com \(b-side\) patched spec\.containers\[1\], but an earlier operation left 1 item$/,
  ],
  [
    'the same operation for the first container, which is another now',
    podStory(twoAgain, {
      [hook]: always({ op: 'replace', path: '/spec/containers/0/image', value: 'mirror.local/web:1' }),
      [side]: ({ object }) =>
        valueAt(object, 'spec', 'hostname') === undefined
          ? { patch: [add('/spec/containers/0', late), add('/spec/hostname', 'h')] }
          : {},
    }),
    'stale-index',
    /^hook\.example\.com \(a-hook\) changed image of container late in the second round, with the operation that had changed image of container web in the first$/,
  ],
  [
    'a container of two webhooks',
    podStory(two, { [hook]: always(add('/spec/containers/-', late)), [side]: always(add('/spec/containers/-', late)) }),
    'duplicate-item',
    /^container late was added by hook\.example\.com \(a-hook\) and by side\.example\.com \(b-side\)$/,
  ],
  [
    'a container that the client sent',
    podStory(two, { [hook]: always(add('/spec/containers/-', { name: 'web', image: 'w:2' })) }),
    'duplicate-item',
    /^hook\.example\.com \(a-hook\) added container web, which existed already$/,
  ],
  [
    'a text in args, once in each round',
    podStory(
      twoAgain,
      { [hook]: always(add('/spec/containers/0/args/-', '--log')), [side]: inject('containers', late) },
      { sent: [podOf({ containers: [{ name: 'web', image: 'web:1', args: ['run'] }] })] },
    ),
    'duplicate-item',
    /^hook\.example\.com \(a-hook\) added "--log" in args of container web twice: in the first round and in the second$/,
  ],
  [
    'a container without an image',
    podStory(two, { [hook]: always(add('/spec/containers/-', { name: 'proxy', resources: {} })) }),
    'missing-field',
    /^hook\.example\.com \(a-hook\) wrote container proxy without image, which is required$/,
  ],
  [
    'a required field is removed',
    podStory(two, { [hook]: always({ op: 'remove', path: '/spec/containers/0/image' }) }),
    'missing-field',
    /^hook\.example\.com \(a-hook\) removed image of container web, which is required$/,
  ],
  [
    'a value that the API server refuses',
    podStory(two, { [hook]: always(add('/spec/containers/0/imagePullPolicy', 'Sometimes')) }),
    'invalid-field',
    /^hook\.example\.com \(a-hook\) set imagePullPolicy of container web, which the API server refuses$/,
  ],
  [
    'a LimitRange',
    podStory(
      [],
      {},
      {
        before: [
          account,
          inDefault('limitranges', {
            metadata: { name: 'small' },
            spec: { limits: [{ type: 'Container', max: { cpu: '1' } }] },
          }),
        ],
        sent: [podOf({ containers: [{ name: 'web', image: 'w:1', resources: { limits: { cpu: '2' } } }] })],
      },
    ),
    'refused-by-object',
    /^plugin LimitRanger refused the request by spec\.limits of LimitRange small$/,
  ],
  [
    'a ResourceQuota',
    podStory(
      [],
      {},
      {
        before: [
          account,
          inDefault('resourcequotas', {
            metadata: { name: 'few' },
            spec: { hard: { pods: '0' } },
            status: { hard: { pods: '0' }, used: { pods: '0' } },
          }),
          [
            'PUT',
            `${namespaces}/default/resourcequotas/few/status`,
            {
              metadata: { name: 'few', namespace: 'default' },
              spec: { hard: { pods: '0' } },
              status: { hard: { pods: '0' }, used: { pods: '0' } },
            },
          ],
        ],
      },
    ),
    'refused-by-object',
    /^plugin ResourceQuota refused the request by spec\.hard of ResourceQuota few$/,
  ],
  [
    'an account that is missing',
    podStory([], {}, { before: [] }),
    'refused-by-plugin',
    /^plugin ServiceAccount refused the request by its own rule about spec\.serviceAccountName$/,
  ],
  [
    'an unknown field that the client sent',
    {
      sent: [
        inDefault('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, datum: { a: 'b' } }),
      ],
    },
    'dropped',
    /^datum was sent, and the API server dropped it$/,
  ],
  [
    'the label of a namespace',
    podStory([], {}, { before: [account, restricted], sent: [podOf({ hostNetwork: true })] }),
    'refused-by-object',
    /^plugin PodSecurity refused the request by label pod-security\.kubernetes\.io\/enforce of Namespace default$/,
  ],
  [
    'a label comes too late for an objectSelector',
    podStory(
      [
        podHook('a-hook', hook, { ...again, objectSelector: { matchLabels: { team: 'red' } } }),
        podHook('b-side', side),
      ],
      {
        [side]: always(add('/metadata/labels', { team: 'red' })),
      },
    ),
    'skipped-too-early',
    /^hook\.example\.com \(a-hook\) was skipped: its objectSelector requires label team, which side\.example\.com \(b-side\) set later$/,
  ],
  [
    'a label is set by two',
    podStory(two, {
      [hook]: always(add('/metadata/labels', { team: 'a' })),
      [side]: always(add('/metadata/labels/team', 'b')),
    }),
    'overwritten',
    /^label team was set by hook\.example\.com \(a-hook\) and then by side\.example\.com \(b-side\): "a", then "b"$/,
  ],
  [
    'labels are replaced as a whole',
    podStory(
      two,
      { [side]: always(add('/metadata/labels', { team: 'b' })) },
      { sent: [podOf({}, { labels: { app: 'web' } })] },
    ),
    'replaced-list',
    /^side\.example\.com \(b-side\) replaced metadata\.labels as a whole, which removed label app$/,
  ],
  [
    'a plugin changes what a webhook had set',
    podStory(two, { [hook]: always({ op: 'remove', path: '/spec/tolerations' }) }),
    'plugin-overrode',
    /^plugin DefaultTolerationSeconds restored spec\.tolerations\[key=\S+\] and \S+, which hook\.example\.com \(a-hook\) had removed$/,
  ],
  [
    'what the client had set is left out, and the default comes back',
    podStory(
      two,
      { [hook]: always({ op: 'remove', path: '/spec/containers/0/imagePullPolicy' }) },
      { sent: [podOf({ containers: [{ name: 'web', image: 'web:1', imagePullPolicy: 'Never' }] })] },
    ),
    'default-came-back',
    /^hook\.example\.com \(a-hook\) removed imagePullPolicy of container web, and the API server set its default$/,
  ],
  [
    'a field that the schema does not have',
    podStory(two, { [hook]: always(add('/spec/containers/0/colour', 'red')) }),
    'dropped',
    /^hook\.example\.com \(a-hook\) set colour of container web, and the API server dropped it$/,
  ],
  [
    'a webhook that could not be asked',
    podStory([podHook('a-hook', hook, { failurePolicy: 'Ignore' })], {
      [hook]: () => ({
        outcome: 'failed',
        phase: 'connect',
        error: 'dial tcp 127.0.0.1:1: connect: connection refused',
      }),
    }),
    'unchecked',
    /^stored without the change of hook\.example\.com \(a-hook\): it failed and failurePolicy is Ignore$/,
  ],
  [
    'an init container that was meant to be the last',
    podStory(two, { [hook]: inject2('first'), [side]: inject2('second') }),
    'no-longer-last',
    /^side\.example\.com \(b-side\) appended init container second after init container first of hook\.example\.com \(a-hook\)$/,
  ],
  [
    'a second call',
    podStory(twoAgain, { [hook]: envForEach('REGION'), [side]: inject('containers', late) }),
    'called-again',
    /^hook\.example\.com \(a-hook\) was reinvoked, since side\.example\.com \(b-side\) added container late$/,
  ],
  [
    'a plugin that runs again treats what a webhook added',
    podStory(
      two,
      { [side]: inject('containers', late) },
      {
        before: [
          account,
          inDefault('limitranges', {
            metadata: { name: 'small' },
            spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] },
          }),
        ],
        sent: [podOf({ containers: [{ name: 'web', image: 'w:1', resources: { limits: { cpu: '1' } } }] })],
      },
    ),
    'called-again',
    /^plugin LimitRanger ran again in the second round and .*resources of container late.*, since side\.example\.com \(b-side\) added container late$/,
  ],
];

test.each(found)('%s', async (_fact, story, rule, title) => {
  const findings = findingsOf(await traceOf(story));
  expect(findings).toContainEqual(expect.objectContaining({ rule, title: expect.stringMatching(title) }));
});
