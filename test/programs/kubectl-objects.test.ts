import { describeStories, type Row } from '../harness/kubectl-stories.ts';

const object = (kind: string, name: string, fields: object): object => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, labels: { tier: 'front' } },
  ...fields,
});
const configMap = (data: object, name = 'a'): string => JSON.stringify(object('ConfigMap', name, { data }));
const applyA = (data: object): Pick<Row, 'run' | 'stdin'> => ({ run: 'apply -f -', stdin: configMap(data) });
const applyServer = (data: object, flags = ''): Pick<Row, 'run' | 'stdin'> => ({
  run: `apply --server-side -f -${flags}`,
  stdin: configMap(data),
});
const two = JSON.stringify({
  apiVersion: 'v1',
  kind: 'List',
  items: [object('ConfigMap', 'a', {}), object('Secret', 's', { stringData: { p: 'q' } })],
});
const pod = (name: string, container: object): string =>
  JSON.stringify(object('Pod', name, { spec: { containers: [{ name: 'c', ...container }] } }));
const strictError =
  /Error from server \(BadRequest\): error when creating "STDIN": .*strict decoding error: unknown field "spec.containers\[0\].zork"/;

const both = (...names: readonly string[]): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'List', items: names.map((name) => object('ConfigMap', name, {})) });
const applySet = (...names: readonly string[]): Pick<Row, 'run' | 'stdin' | 'env'> => ({
  run: 'apply --prune --applyset=set -f -',
  stdin: both(...names),
  env: { KUBECTL_APPLYSET: 'true' },
});
const deployment = (replicas: number): string =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: {
      replicas,
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: `i:${replicas}` }] } },
    },
  });
const managers = `get deployment d --show-managed-fields -o 'jsonpath={range .metadata.managedFields[*]}{.manager} {.operation} {end}'`;

// Source: what kubectl prints with a real kube-apiserver (spec/kubectl.md section 5).
describeStories({
  'apply creates, leaves and configures': [
    { ...applyA({ k: 'v' }), out: 'configmap/a created' },
    { ...applyA({ k: 'v' }), out: 'configmap/a unchanged' },
    { ...applyA({ k: 'w', l: 'x' }), out: 'configmap/a configured' },
    { run: 'get cm a -o jsonpath={.data}', out: '{"k":"w","l":"x"}' },
    { ...applyA({ l: 'x' }), out: 'configmap/a configured' },
    { run: 'get cm a -o jsonpath={.data}', out: '{"l":"x"}' },
    { run: 'apply view-last-applied cm a -o json', out: /"l": "x"/ },
    { run: 'diff -f -', stdin: configMap({ l: 'x' }) },
    { run: 'diff -f -', stdin: configMap({ l: 'y' }), code: 1, out: /^- l: x\n\+ l: "?y"?$/m },
    {
      run: 'apply -f - --prune -l tier=front --prune-allowlist=core/v1/ConfigMap',
      stdin: configMap({ l: 'x' }),
      out: 'configmap/a unchanged',
      err: /.*/,
    },
    { run: 'delete -f -', stdin: configMap({}), out: /^configmap "a" deleted/ },
  ],
  'apply prunes by label': [
    {
      run: 'apply -f - --prune -l tier=front',
      stdin: both('a', 'b'),
      out: /a created\nconfigmap\/b created$/,
      err: /.*/,
    },
    {
      run: 'apply -f - --prune -l tier=front --prune-allowlist=core/v1/ConfigMap',
      stdin: both('a'),
      out: 'configmap/a unchanged\nconfigmap/b pruned',
      err: /^$/,
    },
    { run: 'get cm -l tier=front -o name', out: 'configmap/a' },
  ],
  'apply prunes what left the set': [
    { ...applySet('a', 'b'), since: 27, out: 'configmap/a created\nconfigmap/b created' },
    { ...applySet('a'), since: 27, out: 'configmap/a unchanged\nconfigmap/b pruned' },
    { run: 'get cm -l tier=front -o name', since: 27, out: 'configmap/a' },
    {
      run: `get secret set -o 'jsonpath={.metadata.annotations.applyset\\.kubernetes\\.io/additional-namespaces}{.metadata.labels}'`,
      since: 27,
      out: /"applyset.kubernetes.io\/id":"applyset-.*-v1"/,
    },
  ],
  'apply by the server after apply by the client': [
    { run: 'apply -f -', stdin: deployment(1), out: 'deployment.apps/d created' },
    { run: managers, out: 'kubectl-client-side-apply Update' },
    { run: 'apply --server-side -f -', stdin: deployment(2), out: 'deployment.apps/d serverside-applied' },
    { run: managers, since: 26, out: 'kubectl-last-applied Apply kubectl Apply' },
    {
      run: 'apply --server-side --field-manager=other -f -',
      stdin: deployment(3),
      code: 1,
      err: /^error: Apply failed with 2 conflicts: conflicts with "kubectl":\n- \.spec\.replicas\n- \.spec\.template\.spec\.containers\[name="c"\]\.image\n/,
    },
    {
      run: 'apply --server-side --field-manager=other --force-conflicts -f -',
      stdin: deployment(3),
      out: 'deployment.apps/d serverside-applied',
    },
    { run: 'apply -f -', stdin: deployment(4), out: 'deployment.apps/d configured' },
    { run: 'get deployment d -o jsonpath={.spec.replicas}', out: '4' },
  ],
  'apply by the server': [
    { ...applyServer({ k: 'v' }), out: 'configmap/a serverside-applied' },
    { ...applyServer({ k: 'w' }), out: 'configmap/a serverside-applied' },
    {
      ...applyServer({ k: 'x' }, ' --field-manager=other'),
      code: 1,
      err: /^error: Apply failed with 1 conflict: conflict with "kubectl": \.data\.k\n/,
    },
    { ...applyServer({ k: 'x' }, ' --field-manager=other --force-conflicts'), out: 'configmap/a serverside-applied' },
    { run: 'get cm a -o jsonpath={.data}', out: '{"k":"x"}' },
  ],
  'create and its refusals': [
    { run: 'create -f -', stdin: two, out: 'configmap/a created\nsecret/s created' },
    {
      run: 'create -f -',
      stdin: configMap({}),
      code: 1,
      err: 'Error from server (AlreadyExists): error when creating "STDIN": configmaps "a" already exists',
    },
    { run: 'create configmap b --from-literal=k=v', out: 'configmap/b created' },
    { run: 'create configmap b', code: 1, err: 'error: failed to create configmap: configmaps "b" already exists' },
    { run: 'create secret generic g --from-literal=p=q', out: 'secret/g created' },
    { run: 'get secret g -o jsonpath={.type}{.data}', out: 'Opaque{"p":"cQ=="}' },
    { run: 'create serviceaccount robot', out: 'serviceaccount/robot created' },
    { run: 'create role reader --verb=get,list --resource=pods', out: 'role.rbac.authorization.k8s.io/reader created' },
    { run: 'create rolebinding rb --role=reader --user=u', out: 'rolebinding.rbac.authorization.k8s.io/rb created' },
    { run: 'create quota q --hard=pods=2', out: 'resourcequota/q created' },
    { run: 'create service clusterip s --tcp=80', out: 'service/s created' },
    { run: 'create job j --image=i', out: 'job.batch/j created' },
    { run: `create cronjob c --image=i '--schedule=0 0 * * *'`, out: 'cronjob.batch/c created' },
    { run: 'create ingress i --rule=example.com/=s:80', out: 'ingress.networking.k8s.io/i created' },
    {
      run: 'create poddisruptionbudget b --selector=a=b --min-available=1',
      out: 'poddisruptionbudget.policy/b created',
    },
    { run: 'create priorityclass high-$NS --value=5', out: 'priorityclass.scheduling.k8s.io/high-$NS created' },
    {
      run: 'create configmap Upper',
      code: 1,
      err: /^The ConfigMap "Upper" is invalid: metadata.name: Invalid value: "Upper": a lowercase RFC 1123 subdomain must consist|^error: failed to create configmap: ConfigMap "Upper" is invalid: metadata.name/,
    },
    { run: 'create -n nowhere configmap x', code: 1, err: /namespaces "nowhere" not found$/ },
  ],
  'unknown fields are refused or warned of': [
    { run: 'create -f -', stdin: pod('p', { image: 'i', zork: 1 }), code: 1, err: strictError },
    {
      run: 'create --validate=warn -f -',
      stdin: pod('p', { image: 'i', zork: 1 }),
      out: 'pod/p created',
      err: 'Warning: unknown field "spec.containers[0].zork"',
    },
    {
      run: 'create --validate=ignore -f -',
      stdin: pod('q', { image: 'i', zork: 1 }),
      out: 'pod/q created',
    },
    {
      run: 'create -f -',
      stdin: pod('x', {}),
      code: 1,
      err: 'The Pod "x" is invalid: spec.containers[0].image: Required value',
    },
    {
      run: 'create -f -',
      stdin: JSON.stringify(object('Pood', 'x', {})),
      code: 1,
      err: 'error: resource mapping not found for name: "x" namespace: "" from "STDIN": no matches for kind "Pood" in version "v1"\nensure CRDs are installed first',
    },
  ],
  'get in its forms': [
    { run: 'create configmap one --from-literal=k=v', out: 'configmap/one created' },
    { run: 'create configmap two', out: 'configmap/two created' },
    { run: 'label configmap one tier=front', out: 'configmap/one labeled' },
    { run: 'get configmaps', out: 'NAME DATA AGE\nkube-root-ca.crt 1 AGE\none 1 AGE\ntwo 0 AGE' },
    { run: 'get cm one two --no-headers', out: 'one 1 AGE\ntwo 0 AGE' },
    { run: 'get cm -l tier=front --show-labels', out: 'NAME DATA AGE LABELS\none 1 AGE tier=front' },
    { run: 'get cm -l tier=back', err: 'No resources found in $NS namespace.' },
    { run: 'get cm --field-selector metadata.name=two -o name', out: 'configmap/two' },
    {
      run: 'get cm --field-selector data.k=v',
      code: 1,
      err: 'Error from server (BadRequest): Unable to find "/v1, Resource=configmaps" that match label selector "", field selector "data.k=v": "data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
    },
    {
      run: 'get cm -A --field-selector metadata.namespace=$NS,metadata.name=one',
      out: 'NAMESPACE NAME DATA AGE\n$NS one 1 AGE',
    },
    { run: 'get cm one -o yaml', out: /^apiVersion: v1\ndata:\n k: v\nkind: ConfigMap\nmetadata:\n/ },
    { run: 'get cm one -o json', out: /^\{\n "apiVersion": "v1",\n "data": \{/ },
    { run: 'get cm one -o jsonpath={.data.k}', out: 'v' },
    { run: 'get cm -o custom-columns=N:.metadata.name --sort-by=.metadata.name', out: 'N\nkube-root-ca.crt\none\ntwo' },
    { run: 'get cm --chunk-size=1 -o name', out: 'configmap/kube-root-ca.crt\nconfigmap/one\nconfigmap/two' },
    { run: 'get cm three', code: 1, err: 'Error from server (NotFound): configmaps "three" not found' },
    { run: 'get cm three --ignore-not-found' },
    {
      run: 'get cm one three -o name',
      code: 1,
      out: 'configmap/one',
      err: 'Error from server (NotFound): configmaps "three" not found',
    },
    { run: 'get nonsense', code: 1, err: `error: the server doesn't have a resource type "nonsense"` },
    {
      run: 'get cm,sa',
      out: 'NAME DATA AGE\nconfigmap/kube-root-ca.crt 1 AGE\nconfigmap/one 1 AGE\nconfigmap/two 0 AGE\n\nNAME AGE\nserviceaccount/default AGE',
      outIn: {
        1.32: 'NAME DATA AGE\nconfigmap/kube-root-ca.crt 1 AGE\nconfigmap/one 1 AGE\nconfigmap/two 0 AGE\n\nNAME SECRETS AGE\nserviceaccount/default 0 AGE',
      },
    },
    { run: 'get cm one -w --request-timeout=1s -o name', out: 'configmap/one' },
    { run: 'get cm one -w --request-timeout=1s', out: 'NAME DATA AGE\none 1 AGE' },
    {
      run: 'describe cm one',
      out: /^Name: one\nNamespace: \$NS\nLabels: tier=front\nAnnotations: <none>\n\nData\n====\nk:\n----\nv\n/,
    },
    { run: 'describe cm three', code: 1, err: 'Error from server (NotFound): configmaps "three" not found' },
  ],
  'patches of three kinds': [
    { run: 'create configmap a --from-literal=k=v', out: 'configmap/a created' },
    { run: `patch cm a -p '{"data":{"k":"w"}}'`, out: 'configmap/a patched' },
    { run: `patch cm a -p '{"data":{"k":"w"}}'`, out: 'configmap/a patched (no change)' },
    { run: `patch cm a --type=merge -p '{"data":{"k":null,"l":"m"}}'`, out: 'configmap/a patched' },
    { run: `patch cm a --type=json -p '[{"op":"add","path":"/data/n","value":"o"}]'`, out: 'configmap/a patched' },
    { run: 'get cm a -o jsonpath={.data}', out: '{"l":"m","n":"o"}' },
    {
      run: `patch cm a --type=json -p '[{"op":"test","path":"/data/n","value":"x"}]'`,
      code: 1,
      err: 'The request is invalid: the server rejected our request due to an error in our request',
    },
    { run: `patch cm a -p '{"data":{"k":1}}'`, code: 1, err: /cannot convert int64 to string/ },
    { run: `patch cm b -p '{}'`, code: 1, err: 'Error from server (NotFound): configmaps "b" not found' },
    { run: 'create deployment d --image=one', out: 'deployment.apps/d created' },
    {
      run: `patch deploy d -p '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"two"}]}}}}'`,
      out: 'deployment.apps/d patched',
    },
    { run: 'get deploy d -o jsonpath={.spec.template.spec.containers[*].image}', out: 'two one' },
    {
      run: `patch deploy d --subresource=status --type=merge -p '{"status":{"replicas":3,"updatedReplicas":2}}'`,
      out: 'deployment.apps/d patched',
    },
    { run: 'get deploy d', out: 'NAME READY UP-TO-DATE AVAILABLE AGE\nd 0/1 2 0 AGE' },
  ],
  'replace, label, annotate and edit': [
    { run: 'create -f -', stdin: configMap({ k: 'before' }), out: 'configmap/a created' },
    { run: 'replace -f -', stdin: configMap({ k: 'before', l: 'm' }), out: 'configmap/a replaced' },
    {
      run: 'replace -f -',
      stdin: configMap({}, 'b'),
      code: 1,
      err: 'Error from server (NotFound): error when replacing "STDIN": configmaps "b" not found',
    },
    {
      run: 'replace --force -f -',
      stdin: configMap({ k: 'before' }),
      out: /^configmap "a" deleted.*\nconfigmap\/a replaced$/,
    },
    { run: 'label cm a colour=red', out: 'configmap/a labeled' },
    { run: 'label cm a colour=blue', code: 1, err: /'colour' already has a value \(red\), and --overwrite is false/ },
    { run: 'label cm a colour=blue --overwrite', out: 'configmap/a labeled' },
    { run: 'label cm a colour-', out: 'configmap/a unlabeled' },
    { run: 'annotate cm a note=x', out: /^configmap\/a annotated?$/ },
    { run: 'annotate cm --all note-', out: /configmap\/a annotated?/ },
    { run: 'edit cm a', out: 'configmap/a edited' },
    { run: 'get cm a -o jsonpath={.data}', out: '{"k":"after"}' },
    { run: 'edit cm a', err: 'Edit cancelled, no changes made.' },
  ],
  'deletes of several kinds': [
    { run: 'create configmap a', out: 'configmap/a created' },
    { run: 'create configmap b', out: 'configmap/b created' },
    { run: 'run p --image=i', out: 'pod/p created' },
    { run: 'run q --image=i -l app=q', out: 'pod/q created' },
    { run: 'delete cm a', out: /^configmap "a" deleted/ },
    { run: 'delete cm a', code: 1, err: 'Error from server (NotFound): configmaps "a" not found' },
    { run: 'delete cm a --ignore-not-found' },
    { run: 'delete pod p --now', out: /^pod "p" deleted/ },
    { run: 'delete pods -l app=q --wait=false', out: /^pod "q" deleted/ },
    { run: 'delete pods --all', out: 'No resources found' },
    { run: 'run r --image=i', out: 'pod/r created' },
    {
      run: 'delete pod r --force --grace-period=0',
      out: /^pod "r" force deleted/,
      err: /Immediate deletion does not wait/,
    },
    { run: 'delete cm --all', out: /configmap "b" deleted/ },
    { run: 'create namespace $NS-more', out: 'namespace/$NS-more created' },
    { run: 'create -n $NS-more configmap x', out: 'configmap/x created' },
    {
      run: 'delete namespace $NS-more --timeout=10s',
      out: 'namespace "$NS-more" deleted',
      err: /^(Warning: deleting cluster-scoped resources, not scoped to the provided namespace)?$/,
    },
    { run: 'get namespace $NS-more', code: 1, err: 'Error from server (NotFound): namespaces "$NS-more" not found' },
  ],
  'dry runs store nothing': [
    { run: 'create configmap a --dry-run=server', out: 'configmap/a created (server dry run)' },
    { run: 'create configmap a --dry-run=client', out: 'configmap/a created (dry run)' },
    { run: 'create configmap a --dry-run=client -o yaml', out: /^apiVersion: v1\nkind: ConfigMap/ },
    { run: 'apply --dry-run=server -f -', stdin: configMap({}), out: 'configmap/a created (server dry run)' },
    { run: 'get cm a', code: 1, err: 'Error from server (NotFound): configmaps "a" not found' },
    { run: 'create configmap a', out: 'configmap/a created' },
    { run: `patch cm a --dry-run=server -p '{"data":{"k":"v"}}'`, out: 'configmap/a patched' },
    { run: 'delete cm a --dry-run=server', out: /^configmap "a" deleted.*\(server dry run\)/ },
    { run: 'get cm a -o jsonpath={.data}' },
  ],
});
