import { expect, test } from 'vitest';
import { serviceAccount } from '../../../../../src/apiserver/admission/plugins/service-account/service-account.ts';
import type { AdmissionAttributes } from '../../../../../src/apiserver/admission/chain/attributes.ts';
import type { JsonObject } from '../../../../../src/machinery/json/json.ts';
import { type KubernetesObject, withMetadata } from '../../../../../src/machinery/meta/object.ts';
import { clusterOf, creating, object, outcomeOf } from '../../../../harness/builtin-plugin.ts';

const account = (name: string, fields: JsonObject = {}, annotations?: Record<string, string>): KubernetesObject =>
  withMetadata(object('v1', 'ServiceAccount', name, fields), { namespace: 'ns', annotations });
const enforcing = (text: string): Record<string, string> => ({ 'kubernetes.io/enforce-mountable-secrets': text });
const cluster = clusterOf({
  serviceaccounts: [
    account('default'),
    account('puller', { imagePullSecrets: [{ name: 'reg', other: 'x' }], automountServiceAccountToken: false }),
    account('strict', { secrets: [{ name: 'mine' }], automountServiceAccountToken: false }, enforcing('true')),
    account('lax', { automountServiceAccountToken: false }, enforcing('false')),
    account('unclear', { automountServiceAccountToken: false }, enforcing('yes')),
  ],
});
const path = '/var/run/secrets/kubernetes.io/serviceaccount';
const container = (fields: JsonObject = {}): JsonObject => ({ name: 'c', image: 'a', ...fields });
const pod = (spec: JsonObject, annotations?: Record<string, string>): KubernetesObject =>
  withMetadata(object('v1', 'Pod', 'p', { spec: { containers: [container()], ...spec } }), { annotations });
const request = (spec: JsonObject, fields: Partial<AdmissionAttributes> = {}): AdmissionAttributes =>
  creating(pod(spec), 'pods', fields);
const mirror = (spec: JsonObject): AdmissionAttributes =>
  creating(pod(spec, { 'kubernetes.io/config.mirror': 'x' }), 'pods');
const asStrict = (spec: JsonObject): AdmissionAttributes => request({ serviceAccountName: 'strict', ...spec });
const secretVariable = { name: 'V', valueFrom: { secretKeyRef: { name: 'theirs', key: 'k' } } };
const mount = (name: string): JsonObject => ({ name, readOnly: true, mountPath: path });

// Source: kubernetes plugin/pkg/admission/serviceaccount/admission_test.go and the recorded conversation
// plugins-serviceaccount
const mutations: readonly [fact: string, request: AdmissionAttributes, path: readonly string[], outcome: unknown][] = [
  ['a pod runs as default', request({}), ['spec', 'serviceAccountName'], 'default'],
  ['under its old name too', request({}), ['spec', 'serviceAccount'], 'default'],
  [
    'the account must exist',
    request({ serviceAccountName: 'nosuch' }),
    [],
    'pods "p" is forbidden: error looking up service account ns/nosuch: serviceaccount "nosuch" not found',
  ],
  [
    'containers mount the token',
    request({ initContainers: [container()] }),
    ['spec', 'initContainers'],
    [container({ volumeMounts: [mount('kube-api-access-bbbbb')] })],
  ],
  [
    'a container that mounts something there keeps it',
    request({ containers: [container({ volumeMounts: [{ name: 'own', mountPath: path }] })] }),
    ['spec', 'volumes'],
    undefined,
  ],
  [
    'a token volume that is there is used',
    request({ volumes: [{ name: 'kube-api-access-xyz', projected: {} }] }),
    ['spec'],
    {
      volumes: [{ name: 'kube-api-access-xyz', projected: {} }],
      containers: [container({ volumeMounts: [mount('kube-api-access-xyz')] })],
      serviceAccountName: 'default',
      serviceAccount: 'default',
    },
  ],
  ['a pod can do without the token', request({ automountServiceAccountToken: false }), ['spec', 'volumes'], undefined],
  ['so can an account', request({ serviceAccountName: 'puller' }), ['spec', 'volumes'], undefined],
  [
    'pull secrets are those of the account',
    request({ serviceAccountName: 'puller' }),
    ['spec', 'imagePullSecrets'],
    [{ name: 'reg' }],
  ],
  [
    'unless the pod has its own',
    request({ serviceAccountName: 'puller', imagePullSecrets: [{ name: 'own' }] }),
    ['spec', 'imagePullSecrets'],
    [{ name: 'own' }],
  ],
  ['updates are left alone', request({}, { operation: 'UPDATE' }), ['spec', 'serviceAccountName'], undefined],
  ['a mirror pod is left alone', mirror({}), ['spec', 'serviceAccountName'], undefined],
  [
    'a mirror pod has no account',
    mirror({ serviceAccountName: 'default' }),
    [],
    'pods "p" is forbidden: a mirror pod may not reference service accounts',
  ],
  [
    'a mirror pod uses no secrets',
    mirror({ containers: [container({ env: [secretVariable] })] }),
    [],
    'pods "p" is forbidden: a mirror pod may not reference secrets',
  ],
  [
    'a mirror pod projects no token',
    mirror({ volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] }),
    [],
    'pods "p" is forbidden: a mirror pod may not use ServiceAccountToken volume projections',
  ],
  [
    'a strict account allows only its own secrets as volumes',
    asStrict({ volumes: [{ name: 'v', secret: { secretName: 'theirs' } }] }),
    [],
    'pods "p" is forbidden: volume with secret.secretName="theirs" is not allowed because service account strict does not reference that secret',
  ],
  ...['lax', 'unclear'].map((serviceAccountName): (typeof mutations)[number] => [
    `an account that is ${serviceAccountName} allows any`,
    request({ serviceAccountName, volumes: [{ name: 'v', secret: { secretName: 'theirs' } }] }),
    ['spec', 'serviceAccountName'],
    serviceAccountName,
  ]),
  [
    'and in variables',
    asStrict({ containers: [container({ env: [secretVariable] })] }),
    [],
    'pods "p" is forbidden: container c with envVar V referencing secret.secretName="theirs" is not allowed because service account strict does not reference that secret',
  ],
  [
    'and as sources of variables',
    asStrict({ initContainers: [container({ envFrom: [{ secretRef: { name: 'theirs' } }] })] }),
    [],
    'pods "p" is forbidden: init container c with envFrom referencing secret.secretName="theirs" is not allowed because service account strict does not reference that secret',
  ],
  [
    'and to pull images',
    asStrict({ imagePullSecrets: [{ name: 'theirs' }] }),
    [],
    'pods "p" is forbidden: imagePullSecrets[0].name="theirs" is not allowed because service account strict does not reference that imagePullSecret',
  ],
];
test.each(mutations)('%s', (_fact, asked, at, outcome) => {
  expect(outcomeOf(serviceAccount, 'mutate', { request: asked, cluster, path: at })).toEqual(outcome);
});

const ephemeral = { operation: 'UPDATE', subresource: 'ephemeralcontainers' } as const;
const validations: readonly [fact: string, request: AdmissionAttributes, message: string | undefined][] = [
  ['a pod with its account passes', request({ serviceAccountName: 'default' }), undefined],
  [
    'a webhook cannot take the account away',
    request({}),
    'pods "p" is forbidden: no service account specified for pod ns/p',
  ],
  [
    'ephemeral containers are held to the same secrets',
    request(
      { serviceAccountName: 'strict', ephemeralContainers: [container({ name: 'e', env: [secretVariable] })] },
      ephemeral,
    ),
    'ephemeral container e with envVar V referencing secret.secretName="theirs" is not allowed because service account strict does not reference that secret',
  ],
  ['other updates pass', request({}, { operation: 'UPDATE' }), undefined],
];
test.each(validations)('%s', (_fact, asked, message) => {
  expect(outcomeOf(serviceAccount, 'validate', { request: asked, cluster, path: ['none'] })).toBe(message);
});
