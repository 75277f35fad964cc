import { expect, test } from 'vitest';
import { loadStaticConfigurations } from '../../../../../src/apiserver/admission/configuration/manifests/load-manifests.ts';
import {
  type ManifestPlugin,
  createStaticManifests,
} from '../../../../../src/apiserver/admission/configuration/manifests/static-manifests.ts';
import { invalidValue } from '../../../../../src/machinery/meta/field-error.ts';
import { metadataOf } from '../../../../../src/machinery/meta/object.ts';
import { recordedRelease } from '../../../../harness/recorded-release.ts';

const codec = recordedRelease.codec;

/** Checked like an object whose name must not be `bad…`. */
const load = (plugin: ManifestPlugin, ...texts: readonly string[]): ReturnType<typeof loadStaticConfigurations> =>
  loadStaticConfigurations(
    texts.map((text, index) => ({ path: `/d/${index}.yaml`, text })),
    plugin,
    {
      codec,
      validate: async (object) => {
        const { name = '' } = metadataOf(object);
        return name.startsWith('bad') ? [invalidValue('metadata.name', name, 'is bad')] : [];
      },
    },
  );

const api = 'apiVersion: admissionregistration.k8s.io/v1';
const webhook = (name: string, client = '{url: "https://localhost:1/x"}', kind = 'Validating'): string =>
  `${api}\nkind: ${kind}WebhookConfiguration\nmetadata: {name: ${name}}\nwebhooks:\n- {name: a.b.c, clientConfig: ${client}, sideEffects: None, admissionReviewVersions: [v1]}\n`;
const policy = (name: string, more = ''): string =>
  `${api}\nkind: ValidatingAdmissionPolicy\nmetadata: {name: ${name}}\nspec: {validations: [{expression: "true"}]${more}}\n`;
const binding = (name: string, policyName: string, more = ''): string =>
  `${api}\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: ${name}}\nspec: {policyName: ${policyName}, validationActions: [Deny]${more}}\n`;

const webhooks = 'ValidatingAdmissionWebhook';
const policies = 'ValidatingAdmissionPolicy';

const policyJson = (name: string): Readonly<Record<string, unknown>> => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: policies,
  metadata: { name: `${name}.static.k8s.io` },
  spec: { validations: [{ expression: 'true' }] },
});

// Source: apiserver v0.36.2 pkg/admission/plugin/manifest/{loader,validation}.go, webhook/manifest/loader/loader.go,
// policy/manifest/loader/loader.go; kubernetes v1.36.2 pkg/admission/plugin/{webhook,policy}/manifest/loader.
test.each<readonly [fact: string, plugin: ManifestPlugin, texts: readonly string[], error: string]>([
  [
    'a name is needed',
    webhooks,
    [webhook('""')],
    'error loading /d/0.yaml: resource in file "/d/0.yaml" must have a name',
  ],
  [
    'it ends as static names end',
    webhooks,
    [webhook('x')],
    'error loading /d/0.yaml: "x" in file "/d/0.yaml" must have a name ending with ".static.k8s.io"',
  ],
  [
    'it is there once',
    webhooks,
    [webhook('x.static.k8s.io'), webhook('x.static.k8s.io')],
    'error loading /d/1.yaml: duplicate name "x.static.k8s.io" found in file "/d/1.yaml" (previously seen in "/d/0.yaml")',
  ],
  [
    'no service is called',
    webhooks,
    [webhook('x.static.k8s.io', '{service: {namespace: a, name: b}}')],
    'error loading /d/0.yaml: webhook "a.b.c" in "x.static.k8s.io" (file "/d/0.yaml"): clientConfig.service is not supported for static manifests; use clientConfig.url instead',
  ],
  [
    'a URL is needed',
    webhooks,
    [webhook('x.static.k8s.io', '{}')],
    'error loading /d/0.yaml: webhook "a.b.c" in "x.static.k8s.io" (file "/d/0.yaml"): clientConfig.url is required for static manifests',
  ],
  [
    'a kind of another plugin',
    webhooks,
    [webhook('x.static.k8s.io', '{}', 'Mutating')],
    'error loading /d/0.yaml: unsupported resource type *v1.MutatingWebhookConfiguration',
  ],
  [
    'a kind of another group',
    webhooks,
    ['{"apiVersion": "v1", "kind": "Pod"}'],
    'error loading /d/0.yaml: no kind "Pod" is registered for version "v1" in scheme "k8s.io/kubernetes/pkg/admission/plugin/webhook/manifest/loader/loader.go:41"',
  ],
  [
    'an older version of a kind',
    policies,
    [policy('x.static.k8s.io').replace('/v1', '/v1beta1')],
    'error loading /d/0.yaml: unsupported resource type *v1beta1.ValidatingAdmissionPolicy',
  ],
  [
    'unknown fields',
    policies,
    [policy('x.static.k8s.io', ', nonsense: 1')],
    'error loading /d/0.yaml: strict decoding error: unknown field "spec.nonsense"',
  ],
  [
    'unknown fields in a List',
    policies,
    [JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [{ apiVersion: 'v1', kind: 'Pod' }] })],
    'error loading /d/0.yaml: failed to decode list item: no kind "Pod" is registered for version "v1" in scheme "k8s.io/kubernetes/pkg/admission/plugin/policy/manifest/loader/validating_loader.go:35"',
  ],
  [
    'what stands twice',
    webhooks,
    [`${webhook('x.static.k8s.io')}kind: ValidatingWebhookConfiguration\n`],
    'error loading /d/0.yaml: strict decoding error: yaml: unmarshal errors:\n  line 6: key "kind" already set in map',
  ],
  [
    'a duplicate key in a list, reported once',
    policies,
    [
      `${api}\nkind: ${policies}List\nmetadata: {}\nmetadata: {}\nitems: ${JSON.stringify([policyJson('a'), policyJson('b')])}\n`,
    ],
    'error loading /d/0.yaml: strict decoding error: yaml: unmarshal errors:\n  line 4: key "metadata" already set in map',
  ],
  [
    'what the API would not take',
    policies,
    [policy('bad.static.k8s.io')],
    'error loading /d/0.yaml: ValidatingAdmissionPolicy "bad.static.k8s.io": metadata.name: Invalid value: "bad.static.k8s.io": is bad',
  ],
  [
    'parameters',
    policies,
    [policy('x.static.k8s.io', ', paramKind: {apiVersion: v1, kind: ConfigMap}')],
    'error loading /d/0.yaml: ValidatingAdmissionPolicy "x.static.k8s.io": spec.paramKind is not supported for static manifests',
  ],
  [
    'a binding with parameters',
    policies,
    [policy('x.static.k8s.io'), binding('b.static.k8s.io', 'x.static.k8s.io', ', paramRef: {name: a}')],
    'error loading /d/1.yaml: binding "b.static.k8s.io": spec.paramRef is not supported for static manifests',
  ],
  [
    'a binding of a policy of the API',
    policies,
    [binding('b.static.k8s.io', 'x')],
    'error loading /d/0.yaml: binding "b.static.k8s.io": spec.policyName "x" must end with ".static.k8s.io"',
  ],
  [
    'a binding without its policy',
    policies,
    [policy('x.static.k8s.io'), binding('b.static.k8s.io', 'y.static.k8s.io')],
    'binding "b.static.k8s.io" references policy "y.static.k8s.io" which does not exist in the manifest directory',
  ],
  [
    'something behind a separator',
    policies,
    [`${policy('x.static.k8s.io')}--- 1\n`],
    'failed to split YAML documents in file "/d/0.yaml": invalid Yaml document separator: 1',
  ],
])('refused: %s', async (_fact, plugin, texts, error) => {
  expect(await load(plugin, ...texts)).toEqual({ ok: false, error });
});

test('documents, lists and Lists are read, defaulted, and policies are found with their bindings', async () => {
  const listed = { apiVersion: 'v1', kind: 'List', items: [policyJson('c')] };
  const kindList = { apiVersion: 'admissionregistration.k8s.io/v1', kind: `${policies}List`, items: [policyJson('d')] };
  const loaded = await load(
    policies,
    `---\n${policy('a.static.k8s.io')}---  # next\n${binding('a.static.k8s.io', 'a.static.k8s.io')}---\n`,
    JSON.stringify(listed),
    JSON.stringify(kindList),
  );
  if (!loaded.ok) throw new Error(loaded.error);
  const { objects, bindings } = loaded.value;
  expect(objects.map((object) => metadataOf(object).name)).toEqual(
    ['a', 'c', 'd'].map((one) => `${one}.static.k8s.io`),
  );
  expect(objects[2]).toMatchObject({ kind: policies, spec: { failurePolicy: 'Fail' } });
  expect(bindings).toHaveLength(1);
  const manifests = createStaticManifests();
  manifests.replace(policies, loaded.value);
  expect(manifests.hooks(policies).all.map(({ bindings: bound }) => bound.length)).toEqual([1, 0, 0]);
  manifests.replace(policies, { objects: [], bindings: [] });
  expect(manifests.hooks(policies).all).toEqual([]);
});
