import { describeStories } from '../harness/kubectl-stories.ts';

const webhook = (path: string): object => ({
  name: `${path}.example.com`,
  clientConfig: { url: `$URL/${path}`, caBundle: '$CA' },
  rules: [{ operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '$NS' } },
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
});
const configuration = (kind: string, path: string): string =>
  JSON.stringify({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: '$NS' },
    webhooks: [webhook(path)],
  });
const configMap = (labels: object, data: object = {}): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels }, data });
const denial = 'admission webhook "judge.example.com" denied the request: bad things are not allowed here';
const watched = 'Warning: this is being watched';

// Source: what kubectl prints of a webhook's denial and warnings (spec/kubectl.md section 5).
describeStories({
  'a webhook changes what is stored': [
    {
      run: 'apply -f -',
      stdin: configuration('MutatingWebhookConfiguration', 'annotate'),
      out: 'mutatingwebhookconfiguration.admissionregistration.k8s.io/$NS created',
    },
    { run: 'get mutatingwebhookconfigurations $NS', out: 'NAME WEBHOOKS AGE\n$NS 1 AGE' },
    { run: 'create -f -', stdin: configMap({}), out: 'configmap/a created' },
    { run: `get cm a -o jsonpath='{.metadata.annotations}'`, out: '{"example.com/seen":"yes"}' },
    { run: 'annotate cm a x=y', out: /^configmap\/a annotated?$/ },
    { run: `get cm a -o jsonpath='{.metadata.annotations}'`, out: '{"example.com/seen":"yes"}' },
    { run: 'delete mutatingwebhookconfiguration $NS', out: /deleted/, err: /.*/ },
    { run: 'annotate cm a x=y', out: /^configmap\/a annotated?$/ },
    { run: `get cm a -o jsonpath='{.metadata.annotations.x}'`, out: 'y' },
  ],
  'a webhook refuses and warns': [
    {
      run: 'apply -f -',
      stdin: configuration('ValidatingWebhookConfiguration', 'judge'),
      out: 'validatingwebhookconfiguration.admissionregistration.k8s.io/$NS created',
    },
    {
      run: 'create -f -',
      stdin: configMap({ bad: 'yes' }),
      code: 1,
      err: `Error from server: error when creating "STDIN": ${denial}`,
    },
    { run: 'apply -f -', stdin: configMap({}), out: 'configmap/a created', err: watched },
    { run: 'apply -f -', stdin: configMap({}, { k: 'v' }), out: 'configmap/a configured', err: watched },
    { run: 'label cm a bad=yes', code: 1, err: `Error from server: ${denial}` },
    { run: `patch cm a --dry-run=server -p '{"data":{"k":"w"}}'`, out: 'configmap/a patched', err: watched },
    {
      run: 'create cm b --warnings-as-errors',
      code: 1,
      out: 'configmap/b created',
      err: /^Warning: this is being watched\n.*1 warning received/,
    },
    {
      run: 'replace -f -',
      stdin: configMap({ bad: 'yes' }),
      code: 1,
      err: `Error from server: error when replacing "STDIN": ${denial}`,
    },
    { run: 'delete validatingwebhookconfiguration $NS', out: /deleted/, err: /.*/ },
  ],
  'a webhook that cannot be reached': [
    {
      run: 'apply -f -',
      stdin: configuration('ValidatingWebhookConfiguration', 'judge').replace('$URL', 'https://127.0.0.1:1'),
      out: 'validatingwebhookconfiguration.admissionregistration.k8s.io/$NS created',
    },
    {
      run: 'create cm a',
      code: 1,
      err: 'error: failed to create configmap: Internal error occurred: failed calling webhook "judge.example.com": failed to call webhook: Post "https://127.0.0.1:1/judge?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused'.replace(
        '10s',
        'AGE',
      ),
    },
    { run: 'delete validatingwebhookconfiguration $NS', out: /deleted/, err: /.*/ },
    { run: 'create cm a', out: 'configmap/a created' },
  ],
});
