import { expect, test } from 'vitest';
import { asString, valueAt } from '../../../src/machinery/json/json.ts';
import { renderExplanation } from '../../../src/explain/render/explain.ts';
import { findingsOf } from '../../../src/explain/findings/findings-of.ts';
import type { FindingRule } from '../../../src/explain/findings/finding.ts';
import { type RequestStory, traceOf } from '../../harness/trace-requests.ts';
import {
  add,
  addItem,
  again,
  always,
  envForEach,
  firstThen,
  imageOf,
  inject,
  itemsOf,
  podHook,
  podOf,
  podStory,
} from '../../harness/pod-story.ts';

const late = { name: 'late', image: 'late:1' };
const hook = 'hook.example.com';
const side = 'side.example.com';
const two = [podHook('a-hook', hook), podHook('b-side', side)];
const twoAgain = [podHook('a-hook', hook, again), podHook('b-side', side)];
const token = { name: 'identity-token', emptyDir: {} };

/** Sixteen questions of users about order and reinvocation, by thread: the set-up, the rule, and what the first five lines must say. */
const reports: readonly [thread: string, story: RequestStory, rule: FindingRule, says: RegExp][] = [
  [
    '14 azure-workload-identity#1744: called again, its volume is there twice',
    podStory(twoAgain, {
      [hook]: ({ object }) => ({ patch: [addItem(object, 'volumes', token)] }),
      [side]: inject('containers', late),
    }),
    'duplicate-item',
    /hook\.example\.com \(a-hook\) added volume identity-token twice: in the first round and in the second/,
  ],
  [
    '15 azure-workload-identity#787: Dapr is called before a sidecar is there',
    podStory(two, { [hook]: envForEach('DAPR_HTTP_PORT'), [side]: inject('containers', late) }),
    'called-too-early',
    /hook\.example\.com \(a-hook\) was called before side\.example\.com \(b-side\) added container late, and not again: its reinvocationPolicy is Never/,
  ],
  [
    '16 kyverno#17282: IfNeeded was asked for, the webhook says Never',
    podStory(two, {
      [hook]: ({ object }) => ({
        patch: itemsOf(object, 'containers').map((_one, at) =>
          add(`/spec/containers/${at}/securityContext`, { runAsNonRoot: true }),
        ),
      }),
      [side]: inject('containers', late),
    }),
    'called-too-early',
    /not again: its reinvocationPolicy is Never\n.*container late has no securityContext/,
  ],
  [
    '17 istio#55691: the second call overwrites what the client had set',
    podStory(
      twoAgain,
      {
        [hook]: firstThen(inject('initContainers', { name: 'init', image: 'init:1' }), () => ({
          patch: [{ op: 'replace', path: '/spec/containers/0/securityContext/runAsUser', value: 1337 }],
        })),
        [side]: inject('containers', late),
      },
      { sent: [podOf({ containers: [{ name: 'web', image: 'web:1', securityContext: { runAsUser: 1000 } }] })] },
    ),
    'not-idempotent',
    /hook\.example\.com \(a-hook\) changed securityContext\.runAsUser of container web in the second round, which it had left alone in the first/,
  ],
  [
    '17 the value of the client and the new one',
    podStory(
      two,
      {
        [hook]: () => ({
          patch: [{ op: 'replace', path: '/spec/containers/0/securityContext/runAsUser', value: 1337 }],
        }),
      },
      { sent: [podOf({ containers: [{ name: 'web', image: 'web:1', securityContext: { runAsUser: 1000 } }] })] },
    ),
    'overwrote-client',
    /hook\.example\.com \(a-hook\) changed what the client had set: securityContext\.runAsUser of container web from 1000 to 1337/,
  ],
  [
    '18 istio#25931: a path is rewritten twice',
    podStory(
      twoAgain,
      {
        [hook]: ({ object }) => ({
          patch: [
            add('/metadata/labels/probe', `app-health.${asString(valueAt(object, 'metadata', 'labels', 'probe'))}`),
          ],
        }),
        [side]: inject('containers', late),
      },
      { sent: [podOf({}, { labels: { probe: 'live' } })] },
    ),
    'not-idempotent',
    /hook\.example\.com \(a-hook\) changed label probe in the second round, which it had set in the first/,
  ],
  [
    '18 the same of a sidecar with another name each time',
    podStory(twoAgain, {
      [hook]: (_request, turn) => ({ patch: [add('/spec/containers/-', { name: `p-${turn}`, image: 'p:1' })] }),
      [side]: inject('containers', late),
    }),
    'duplicate-item',
    /hook\.example\.com \(a-hook\) added container p-1 in the first round and container p-2 in the second: identical except for the name/,
  ],
  [
    '19 istio#54562: the list is replaced, and a container of another webhook is gone',
    podStory(two, {
      [hook]: inject('containers', late),
      [side]: always({ op: 'replace', path: '/spec/containers', value: [{ name: 'web', image: 'web:1' }] }),
    }),
    'replaced-list',
    /side\.example\.com \(b-side\) replaced spec\.containers as a whole, which removed container \w+\n.*container late was added by hook\.example\.com \(a-hook\)/,
  ],
  [
    '19 the same with an operation for the container alone',
    podStory(two, {
      [hook]: inject('containers', late),
      [side]: always({ op: 'remove', path: '/spec/containers/1' }),
    }),
    'undone',
    /side\.example\.com \(b-side\) removed container late, which hook\.example\.com \(a-hook\) had set\n.*wrote container late last, since configuration b-side sorts after a-hook/,
  ],
  [
    '22 istio#43074: a name that begins with 0 has it called too early',
    podStory([podHook('0-hook', hook), podHook('b-side', side)], {
      [hook]: envForEach('TEAM'),
      [side]: inject('containers', late),
    }),
    'called-too-early',
    /configurations run in order of their names: rename one so that b-side sorts before 0-hook/,
  ],
  [
    '24 amazon-eks-pod-identity-webhook#61: the second call ends early, the late container gets no credentials',
    podStory(twoAgain, {
      [hook]: firstThen(envForEach('AWS_ROLE_ARN'), () => ({})),
      [side]: inject('containers', late),
    }),
    'called-again-in-vain',
    /hook\.example\.com \(a-hook\) was called again after side\.example\.com \(b-side\) added container late, and changed nothing\n.*container late has no env AWS_ROLE_ARN, which was set on container web/,
  ],
  [
    '26 logging-operator#1503: a variable is there twice',
    podStory(
      twoAgain,
      {
        [hook]: always(add('/spec/containers/0/env/-', { name: 'LOG', value: 'x' })),
        [side]: inject('containers', late),
      },
      { sent: [podOf({ containers: [{ name: 'web', image: 'web:1', env: [{ name: 'A', value: '1' }] }] })] },
    ),
    'duplicate-item',
    /added env LOG of container web twice/,
  ],
  [
    '27 k8s-image-swapper#28: the image of the sidecar is not rewritten',
    podStory(two, {
      [hook]: (request) => ({
        patch: itemsOf(request.object, 'containers').map((_one, at) => ({
          op: 'replace',
          path: `/spec/containers/${at}/image`,
          value: `mirror.local/${imageOf(request, at).replace('mirror.local/', '')}`,
        })),
      }),
      [side]: inject('containers', late),
    }),
    'called-too-early',
    /container late keeps its own image; that of container web was changed/,
  ],
  [
    '20 istio#38354: an init container that must be last',
    podStory(two, {
      [hook]: inject('initContainers', { name: 'istio-init', image: 'istio:1' }),
      [side]: inject('initContainers', { name: 'other', image: 'other:1' }),
    }),
    'no-longer-last',
    /side\.example\.com \(b-side\) appended init container other after init container istio-init of hook\.example\.com \(a-hook\)\n.*configurations run in order of their names: rename one so that b-side sorts before a-hook/,
  ],
  [
    '21 opentelemetry-helm-charts#693: a prefix of the name decides the order',
    podStory([podHook('0-otel', hook), podHook('istio', side)], {
      [hook]: envForEach('OTEL'),
      [side]: inject('containers', late),
    }),
    'called-too-early',
    /configurations run in order of their names: rename one so that istio sorts before 0-otel/,
  ],
  [
    '23 fluid#2702: without a reinvocationPolicy the later container is not treated',
    podStory(two, { [hook]: envForEach('FUSE'), [side]: inject('containers', late) }),
    'called-too-early',
    /container late has no env FUSE, which was set on container web\n.*hint: set reinvocationPolicy: IfNeeded on hook\.example\.com/,
  ],
  [
    '25 gatekeeper#3858: a mutation of a container that is not there yet creates an empty one',
    podStory(two, {
      [hook]: inject('containers', { name: 'late', env: [{ name: 'A', value: 'b' }] }),
      [side]: inject('containers', late),
    }),
    'missing-field',
    /hook\.example\.com \(a-hook\) wrote container late without image, which is required\n.*\n.*another webhook may add this one later/,
  ],
  [
    '29 kubernetes#65716: a sidecar that a webhook added is denied',
    {
      ...podStory([podHook('a-hook', hook)], { [hook]: inject('containers', late) }),
      validating: [podHook('checks', side)],
      responses: {
        [hook]: inject('containers', late),
        [side]: () => ({ allowed: false, status: { message: 'container "late" is privileged', code: 403 } }),
      },
    },
    'refused-others-work',
    /side\.example\.com \(checks\) denied, and its message names container late, which hook\.example\.com \(a-hook\) added/,
  ],
];

// It is unknown whether a webhook that changed nothing would have changed something later: its call says so.
test('16 the same of a webhook that found nothing to change', async () => {
  const text = renderExplanation(await traceOf(podStory(two, { [side]: inject('containers', late) })));
  expect(text.split('\n').slice(0, 5).join('\n')).toMatch(
    /hook\.example\.com \(a-hook\): changes made later by side\.example\.com \(b-side\) were not seen \(container late\): set reinvocationPolicy: IfNeeded; configurations are called in the order of their names/,
  );
});

test('28 website#23992: which of two is called first', async () => {
  const annotate = (key: string) => always(add('/metadata/labels', { [key]: 'x' }));
  const text = renderExplanation(
    await traceOf(
      podStory([podHook('b-conf', 'z.example.com'), podHook('a-conf', 'm.example.com')], {
        'z.example.com': envForEach('Z'),
        'm.example.com': annotate('m'),
      }),
    ),
  );
  expect(text.split('\n').slice(0, 5).join('\n')).toMatch(
    /m\.example\.com \(a-conf\): changes made later by z\.example\.com \(b-conf\) were not seen .*; configurations are called in the order of their names/,
  );
});

test('29 kubernetes#65716: the denial does not name the sidecar', async () => {
  const privileged = { ...late, securityContext: { privileged: true } };
  const story = podStory([podHook('a-hook', hook)], {
    [hook]: inject('containers', privileged),
    [side]: () => ({ allowed: false, status: { message: 'privileged containers are not allowed', code: 403 } }),
  });
  const text = renderExplanation(await traceOf({ ...story, validating: [podHook('checks', side)] }));
  expect(text.split('\n').slice(0, 5).join('\n')).toMatch(
    /denied: privileged containers are not allowed\n.*hint: side\.example\.com received the Pod after hook\.example\.com \(a-hook\) added container late: mutating webhooks and policies run before validating ones/,
  );
});

test.each(reports)('%s', async (_thread, story, rule, says) => {
  const trace = await traceOf(story);
  expect(findingsOf(trace).map((one) => one.rule)).toContain(rule);
  expect(renderExplanation(trace).split('\n').slice(0, 5).join('\n')).toMatch(says);
});
