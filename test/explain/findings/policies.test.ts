import { expect, test } from 'vitest';
import { findingsOf } from '../../../src/explain/findings/findings-of.ts';
import type { FindingRule } from '../../../src/explain/findings/finding.ts';
import { type RequestStory, type SentRequest, traceOf } from '../../harness/trace-requests.ts';
import { add, always, inject, podHook, podOf, podStory } from '../../harness/pod-story.ts';

const side = 'side.example.com';
const late = { name: 'late', image: 'late:1' };
const sidecar = [podHook('b-side', side)];
const account: SentRequest = ['POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } }];
const matchConstraints = {
  resourceRules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
};

/** A policy with its binding. */
function policy(
  phase: 'Mutating' | 'Validating',
  name: string,
  spec: object,
  binding: object = {},
): readonly SentRequest[] {
  const path = `/apis/admissionregistration.k8s.io/v1/${phase.toLowerCase()}admissionpolic`;
  return [
    ['POST', `${path}ies`, { metadata: { name }, spec: { matchConstraints, ...spec } }],
    ['POST', `${path}ybindings`, { metadata: { name }, spec: { policyName: name, ...binding } }],
  ];
}

const patching = (expression: string, more: object = {}): object => ({
  reinvocationPolicy: 'Never',
  mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
  ...more,
});

const again = { reinvocationPolicy: 'IfNeeded' };
const eachEnv = `object.spec.containers.map(c, JSONPatch{op: "add", path: "/spec/containers/0/env", value: [Object.spec.containers.env{name: "REGION", value: "north"}]})`;
const setTeam = `[JSONPatch{op: "add", path: "/metadata/labels", value: {"team": "red"}}]`;
const labelled = (team: string) => podOf({}, { labels: { team } });

/** What webhooks are found for, policies are found for as well. */
const found: readonly [fact: string, story: RequestStory, rule: FindingRule, title: RegExp][] = [
  [
    'it treats each container, and a webhook adds one after it',
    podStory(
      sidecar,
      { [side]: inject('containers', late) },
      { before: [account, ...policy('Mutating', 'region', patching(eachEnv))] },
    ),
    'called-too-early',
    /^policy region was called before side\.example\.com \(b-side\) added container late, and not again: its reinvocationPolicy is Never$/,
  ],
  [
    'it wants a label that a webhook sets after its turn',
    podStory(
      sidecar,
      { [side]: always(add('/metadata/labels', { team: 'red' })) },
      {
        before: [
          account,
          ...policy(
            'Mutating',
            'region',
            patching(eachEnv, {
              matchConstraints: { ...matchConstraints, objectSelector: { matchLabels: { team: 'red' } } },
            }),
          ),
        ],
      },
    ),
    'skipped-too-early',
    /^policy region was skipped: its objectSelector requires label team, which side\.example\.com \(b-side\) set later$/,
  ],
  [
    'it is called again, and leaves the late container as it is',
    podStory(
      sidecar,
      { [side]: inject('containers', late) },
      { before: [account, ...policy('Mutating', 'region', patching(eachEnv, again))] },
    ),
    'called-again-in-vain',
    /^policy region was called again after side\.example\.com \(b-side\) added container late, and /,
  ],
  [
    'a webhook removes what it set',
    podStory(
      sidecar,
      { [side]: always({ op: 'remove', path: '/metadata/labels' }) },
      { before: [account, ...policy('Mutating', 'team', patching(setTeam))] },
    ),
    'undone',
    /^side\.example\.com \(b-side\) removed label team, which policy team had set$/,
  ],
  [
    'a webhook sets another value',
    podStory(
      sidecar,
      { [side]: always(add('/metadata/labels/team', 'blue')) },
      { before: [account, ...policy('Mutating', 'team', patching(setTeam))] },
    ),
    'overwritten',
    /^label team was set by policy team and then by side\.example\.com \(b-side\): "red", then "blue"$/,
  ],
  [
    'it removes what is required',
    podStory(
      [],
      {},
      {
        before: [
          account,
          ...policy('Mutating', 'bare', patching(`[JSONPatch{op: "remove", path: "/spec/containers/0/image"}]`)),
        ],
      },
    ),
    'missing-field',
    /^policy bare removed image of container web, which is required$/,
  ],
  [
    'it writes a value that the API server refuses',
    podStory(
      [],
      {},
      {
        before: [
          account,
          ...policy(
            'Mutating',
            'pull',
            patching(`[JSONPatch{op: "replace", path: "/spec/containers/0/imagePullPolicy", value: "Sometimes"}]`),
          ),
        ],
      },
    ),
    'invalid-field',
    /^policy pull set imagePullPolicy of container web, which the API server refuses$/,
  ],
  [
    'its expression fails, and its failurePolicy is Ignore',
    podStory(
      [],
      {},
      {
        before: [
          account,
          ...policy(
            'Validating',
            'owner',
            { failurePolicy: 'Ignore', validations: [{ expression: "object.metadata.labels['owner'] != ''" }] },
            { validationActions: ['Deny'] },
          ),
        ],
      },
    ),
    'unchecked',
    /^stored without the check of policy owner: it failed and failurePolicy is Ignore$/,
  ],
  [
    'it refuses the label of a webhook',
    podStory(
      sidecar,
      { [side]: always(add('/metadata/labels', { tier: 'gold' })) },
      {
        before: [
          account,
          ...policy(
            'Validating',
            'tiers',
            {
              validations: [
                {
                  expression: "!has(object.metadata.labels) || !('tier' in object.metadata.labels)",
                  message: 'label tier must not be set',
                },
              ],
            },
            { validationActions: ['Deny'] },
          ),
        ],
      },
    ),
    'refused-others-work',
    /^policy tiers may have denied because of label tier, which side\.example\.com \(b-side\) added: its message has these words$/,
  ],
  [
    'it is called a second time',
    podStory(
      sidecar,
      { [side]: inject('containers', late) },
      { before: [account, ...policy('Mutating', 'team', patching(setTeam, again))] },
    ),
    'called-again',
    /^policy team was reinvoked, since side\.example\.com \(b-side\) added container late$/,
  ],
  [
    'it changes nothing, and a container comes later',
    podStory(
      sidecar,
      { [side]: inject('containers', late) },
      { before: [account, ...policy('Mutating', 'team', patching(setTeam))], sent: [labelled('red')] },
    ),
    'changed-nothing',
    /^policy team was called and changed nothing; changes made later by side\.example\.com \(b-side\) were not seen \(container late\): its reinvocationPolicy is Never$/,
  ],
];

test.each(found)('%s', async (_fact, story, rule, title) => {
  expect(findingsOf(await traceOf(story))).toContainEqual(
    expect.objectContaining({ rule, title: expect.stringMatching(title) }),
  );
});
