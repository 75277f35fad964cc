import { expect, test } from 'vitest';
import { valueAt } from '../../../src/machinery/json/json.ts';
import { createTrace } from '../../../src/explain/trace/create-trace.ts';
import { renderExplanation } from '../../../src/explain/render/explain.ts';
import { modelOf } from '../../../src/explain/render/model.ts';
import { createTraceLog } from '../../../src/adapters/traces/trace-log.ts';
import { type RequestStory, type SentRequest, traceOf } from '../../harness/trace-requests.ts';
import { createTestWorld } from '../../harness/world.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const create: SentRequest = ['POST', configMaps, { metadata: { name: 'm' }, data: { k: 'v' } }];
const rule = (resource: string, operation = '*') => ({
  operations: [operation],
  apiGroups: [''],
  apiVersions: ['*'],
  resources: [resource],
});
const pods = '/api/v1/namespaces/default/pods';
const account: SentRequest = ['POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } }];
const pod: SentRequest = [
  'POST',
  pods,
  { metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'i:1' }] } },
];
const exec = { name: 'exec.example.com', rules: [rule('pods/exec', 'CONNECT')] };
const pemTwice = btoa(btoa('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'));
const addingLate = { patch: [{ op: 'add', path: '/data/late', value: 'w' }] };
const setMode = (mode: string) => ({ patch: [{ op: 'add', path: '/metadata/annotations', value: { mode } }] });
const held: SentRequest = ['POST', configMaps, { metadata: { name: 'held', finalizers: ['example.com/held'] } }];
const emptyConfiguration = { metadata: { name: 'auto.kopf.dev' }, webhooks: [] };
const changing = { patch: [{ op: 'add', path: '/data/added', value: 'x' }] };

/** What explain must and must not say of the last request. */
interface Fact {
  readonly fact: string;
  readonly story: RequestStory;
  readonly says: RegExp;
  readonly never?: RegExp;
  /** With `--all`. */
  readonly all?: true;
}

const facts: readonly Fact[] = [
  {
    fact: 'a webhook changed the object, the next one denies: that there was no second round needs no word',
    story: {
      mutating: [{ name: 'a.example.com' }, { name: 'b.example.com' }],
      responses: { 'a.example.com': () => changing, 'b.example.com': () => ({ allowed: false }) },
      sent: [create],
    },
    says: /^denied by b\.example\.com$/m,
    never: /second round/,
  },
  {
    fact: 'a webhook with reinvocationPolicy IfNeeded: why it was not called again',
    story: {
      mutating: [{ name: 'a.example.com', reinvocationPolicy: 'IfNeeded' }],
      responses: {},
      sent: [create],
    },
    all: true,
    says: /no reinvocation: no webhook changed the object/,
  },
  {
    fact: 'a webhook with reinvocationPolicy Never has no such line',
    story: { mutating: [{ name: 'a.example.com' }], responses: {}, sent: [create] },
    says: /was called and changed nothing/,
    never: /second round/,
  },
  {
    fact: 'webhooks that do not match are counted, without their clauses',
    story: {
      mutating: [
        { name: 'a.example.com' },
        {
          name: 'b.example.com',
          rules: [{ operations: ['*'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] }],
        },
        {
          name: 'c.example.com',
          rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['services', 'secrets'] }],
        },
      ],
      responses: {},
      sent: [create],
    },
    says: /^1 of 3 webhooks called, none changed the ConfigMap, nothing suspicious$[^]*^ {2}and 2 that do not match; --all lists them$/m,
    never: /no rule matches|rules\[0\]/,
  },
  {
    fact: 'the same of one that fails closed',
    story: {
      mutating: [{ name: 'a.example.com' }, { name: 'b.example.com' }],
      responses: {
        'a.example.com': () => changing,
        'b.example.com': () => ({ outcome: 'failed', phase: 'connect', error: 'refused' }),
      },
      sent: [create],
    },
    says: /^ {2}b\.example\.com \(checks\) +failed +0\.0$/m,
    never: /second round/,
  },
  {
    fact: 'one that changed nothing and was the last before a refusal: the request ended',
    story: {
      mutating: [{ name: 'a.example.com' }],
      responses: { 'a.example.com': () => ({ allowed: false }) },
      sent: [create],
    },
    says: /^denied by a\.example\.com$/m,
    never: /second round/,
  },
  {
    fact: 'namespaceObject is never there for webhooks: to ask for it would switch the webhook off',
    story: {
      validating: [
        {
          name: 'a.example.com',
          matchConditions: [{ name: 'in-x', expression: 'namespaceObject.metadata.name == "x"' }],
        },
      ],
      sent: [create],
    },
    says: /hint: webhooks get no namespaceObject, only policies do: .*namespaceSelector|request\.namespace/,
    never: /has\(namespaceObject/,
  },
  {
    fact: 'a webhook that denies where it is meant to be called: no hint that it is',
    story: {
      validating: [{ name: 'a.example.com' }],
      responses: { 'a.example.com': () => ({ allowed: false }) },
      sent: [create],
    },
    says: /\(checks, all namespaces\) denied/,
    never: /hint:/,
  },
  {
    fact: 'one that refuses its own work in the second round was called for that, not for the namespace',
    story: {
      mutating: [{ name: 'self.example.com', reinvocationPolicy: 'IfNeeded' }, { name: 'side.example.com' }],
      responses: {
        'self.example.com': ({ object }) =>
          valueAt(object, 'data', 'added') === undefined ? {} : { allowed: false, status: { message: 'set already' } },
        'side.example.com': () => changing,
      },
      sent: [create],
    },
    says: /self\.example\.com \(checks\) denied in the second round: set already/,
    never: /namespaceSelector/,
  },
  {
    fact: 'a webhook that has done its work is skipped in the second round, and was called in the first',
    story: {
      mutating: [
        {
          name: 'once.example.com',
          reinvocationPolicy: 'IfNeeded',
          objectSelector: { matchExpressions: [{ key: 'stub', operator: 'DoesNotExist' }] },
        },
        { name: 'two.example.com' },
      ],
      responses: {
        'once.example.com': () => ({ patch: [{ op: 'add', path: '/metadata/labels', value: { stub: 'yes' } }] }),
        'two.example.com': () => changing,
      },
      sent: [create],
    },
    all: true,
    says: /once\.example\.com \(checks, all namespaces\) was called and added label stub; not called again in the second round: objectSelector requires stub DoesNotExist; the ConfigMap m has stub=yes; changes made later by two\.example\.com \(checks\) were not seen \(data\.added\)/,
    never: /was not called/,
  },
  {
    fact: 'the same for a matchCondition',
    story: {
      mutating: [
        {
          name: 'once.example.com',
          reinvocationPolicy: 'IfNeeded',
          matchConditions: [{ name: 'fresh', expression: '!has(object.metadata.labels)' }],
        },
        { name: 'two.example.com' },
      ],
      responses: {
        'once.example.com': () => ({ patch: [{ op: 'add', path: '/metadata/labels', value: { stub: 'yes' } }] }),
        'two.example.com': () => changing,
      },
      sent: [create],
    },
    all: true,
    says: /was called and added label stub; not called again in the second round: matchCondition fresh is false/,
    never: /was not called/,
  },
  {
    fact: 'the explanation has the changes of both calls',
    story: {
      mutating: [{ name: 'a.example.com', reinvocationPolicy: 'IfNeeded' }, { name: 'b.example.com' }],
      responses: {
        'a.example.com': ({ object }) => (valueAt(object, 'data', 'added') === undefined ? {} : addingLate),
        'b.example.com': () => changing,
      },
      sent: [create],
    },
    all: true,
    says: /a\.example\.com \(checks, all namespaces\) was called and changed nothing; called again in the second round and added data\.late/,
  },
  {
    fact: 'two that set one annotation in both rounds: one of them has the last word',
    story: {
      mutating: ['one.example.com', 'two.example.com'].map((name) => ({ name, reinvocationPolicy: 'IfNeeded' })),
      responses: { 'one.example.com': () => setMode('one'), 'two.example.com': () => setMode('two') },
      sent: [create],
    },
    says: /^ {4}two\.example\.com \(checks\) wrote annotation mode last/m,
    never: /one\.example\.com \(checks\) has the last word/,
  },
  {
    fact: 'a denial with a word that is the name of a label as well is no finding',
    story: {
      mutating: [{ name: 'add.example.com' }],
      validating: [{ name: 'img.example.com' }],
      responses: {
        'add.example.com': () => ({ patch: [{ op: 'add', path: '/metadata/labels', value: { team: 'web' } }] }),
        'img.example.com': () => ({
          allowed: false,
          status: { message: 'image x is not approved by the security team' },
        }),
      },
      sent: [create],
    },
    says: /^REFUSED.*\n.*\n.*img\.example\.com \(checks, all namespaces\) denied: image x is not approved/,
    never: /label team, which|perhaps/,
  },
  {
    fact: 'a name in quotes that the client sent too is no evidence',
    story: {
      mutating: [{ name: 'add.example.com' }],
      validating: [{ name: 'img.example.com' }],
      responses: {
        'add.example.com': () => ({ patch: [{ op: 'add', path: '/metadata/labels', value: { m: 'web' } }] }),
        'img.example.com': () => ({ allowed: false, status: { message: 'configmap "m" is not wanted' } }),
      },
      sent: [create],
    },
    says: /^REFUSED/,
    never: /names label m/,
  },
  {
    fact: 'a field path in the message is evidence',
    story: {
      mutating: [{ name: 'add.example.com' }],
      validating: [{ name: 'check.example.com' }],
      responses: {
        'add.example.com': () => changing,
        'check.example.com': () => ({ allowed: false, status: { message: 'data.added: Forbidden' } }),
      },
      sent: [create],
    },
    says: /^check\.example\.com \(checks\) denied, and its message names data\.added, which add\.example\.com \(checks\) added\n/m,
  },
  {
    fact: 'configurations without webhooks are stored',
    story: {
      before: [['POST', '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations', emptyConfiguration]],
      sent: [create],
    },
    says: /no webhook was called: configuration auto\.kopf\.dev is stored without webhooks/,
    never: /no webhook configuration is stored/,
  },
  {
    fact: 'nothing is stored',
    story: { sent: [create] },
    says: /no webhook was called: no webhook configuration is stored on this server/,
  },
  {
    fact: 'an update that only removes a finalizer of an object that is being deleted',
    story: {
      before: [held, ['DELETE', `${configMaps}/held`]],
      validating: [{ name: 'v.example.com' }],
      responses: { 'v.example.com': () => ({ allowed: false, status: { message: 'gone is gone' } }) },
      sent: [['PATCH', `${configMaps}/held`, { metadata: { finalizers: null } }]],
    },
    says: /denied: gone is gone\n {4}hint: the object is being deleted .*only removes finalizer example\.com\/held: the object stays until such an update is admitted/,
  },
  {
    fact: 'one that changes something else as well',
    story: {
      before: [held, ['DELETE', `${configMaps}/held`]],
      validating: [{ name: 'v.example.com' }],
      responses: { 'v.example.com': () => ({ allowed: false, status: { message: 'gone is gone' } }) },
      sent: [['PATCH', `${configMaps}/held`, { metadata: { finalizers: null }, data: { a: 'b' } }]],
    },
    says: /denied: gone is gone/,
    never: /is being deleted/,
  },
  {
    fact: 'the same of an object that is not being deleted',
    story: {
      before: [held],
      validating: [{ name: 'v.example.com' }],
      responses: { 'v.example.com': () => ({ allowed: false, status: { message: 'no' } }) },
      sent: [['PATCH', `${configMaps}/held`, { metadata: { finalizers: null } }]],
    },
    says: /denied: no/,
    never: /is being deleted/,
  },
  {
    fact: 'a label on the object instead of the namespace: one hint',
    story: {
      mutating: [{ name: 'a.example.com', namespaceSelector: { matchLabels: { app: 'x' } } }],
      sent: [['POST', configMaps, { metadata: { name: 'm', labels: { app: 'x' } } }]],
    },
    says: /hint: the ConfigMap itself has app=x/,
    never: /kubectl label namespace/,
  },
  {
    fact: 'a Namespace is selected by its own labels',
    story: {
      mutating: [
        { name: 'a.example.com', rules: [rule('namespaces')], namespaceSelector: { matchLabels: { app: 'x' } } },
      ],
      sent: [['POST', '/api/v1/namespaces', { metadata: { name: 'n' } }]],
    },
    says: /hint: for a Namespace, namespaceSelector is tested on the new labels of that Namespace itself, which have no app\n/,
    never: /kubectl label namespace/,
  },
  {
    fact: 'a map that is empty once its last label is removed is not what the first webhook set',
    story: {
      mutating: [{ name: 'a.example.com' }, { name: 'b.example.com' }],
      responses: {
        'a.example.com': () => ({ patch: [{ op: 'add', path: '/metadata/labels', value: { team: 'web' } }] }),
        'b.example.com': () => ({ patch: [{ op: 'remove', path: '/metadata/labels/team' }] }),
      },
      sent: [create],
    },
    says: /b\.example\.com \(checks\) removed label team, which a\.example\.com \(checks\) had set/,
    never: /the API server dropped/,
  },
  {
    fact: 'scope Namespaced never matches a Namespace',
    story: {
      mutating: [{ name: 'a.example.com', rules: [{ ...rule('namespaces'), scope: 'Namespaced' }] }],
      sent: [['POST', '/api/v1/namespaces', { metadata: { name: 'n' } }]],
    },
    says: /hint: namespaces are cluster-scoped: write scope: "\*", or leave scope out$/m,
  },
  {
    fact: 'a caBundle that was put into base64 twice is known as that',
    story: {
      mutating: [{ name: 'a.example.com', clientConfig: { url: 'https://127.0.0.1:1/', caBundle: pemTwice } }],
      responses: {
        'a.example.com': () => ({
          outcome: 'failed',
          phase: 'client',
          error: 'unable to load root certificates: unable to parse bytes as PEM block',
        }),
      },
      sent: [create],
    },
    says: /hint: the caBundle is base64 of base64: encode the PEM once/,
  },
  {
    fact: 'where a service was really called stands beside its name',
    story: {
      mutating: [{ name: 'a.example.com', clientConfig: { service: { namespace: 'team', name: 'hook' } } }],
      responses: {
        'a.example.com': () => ({
          outcome: 'failed',
          phase: 'headers',
          error: 'EOF',
          url: 'http://127.0.0.1:8400/mutate',
        }),
      },
      sent: [create],
    },
    says: /its address is service team\/hook:443, called at http:\/\/127\.0\.0\.1:8400\/mutate/,
  },
  {
    fact: 'a program that had ended is named beside its address',
    story: {
      mutating: [{ name: 'a.example.com', clientConfig: { service: { namespace: 'team', name: 'hook' } } }],
      responses: {
        'a.example.com': () => ({
          outcome: 'failed',
          phase: 'connect',
          error: 'dial tcp 127.0.0.1:8400: connect: connection refused',
          url: 'http://127.0.0.1:8400/mutate',
          program: 'hook, which ended with exit code 1; start 3 is in 10 s',
        }),
      },
      sent: [create],
    },
    says: /called at http:\/\/127\.0\.0\.1:8400\/mutate of hook, which ended with exit code 1; start 3 is in 10 s/,
  },
  {
    fact: 'a namespaceSelector for a label that the object has',
    story: {
      mutating: [{ name: 'a.example.com', namespaceSelector: { matchLabels: { app: 'x' } } }],
      sent: [['POST', configMaps, { metadata: { name: 'm', labels: { app: 'x' } } }]],
    },
    says: /hint: the ConfigMap itself has app=x: namespaceSelector matches .* namespace, objectSelector those/,
  },
  {
    fact: 'an objectSelector for a label that the namespace has',
    story: {
      before: [['PATCH', '/api/v1/namespaces/default', { metadata: { labels: { team: 'red' } } }]],
      mutating: [{ name: 'a.example.com', objectSelector: { matchLabels: { team: 'red' } } }],
      sent: [create],
    },
    says: /hint: namespace default itself has team=red: objectSelector matches the labels of the ConfigMap, namespaceSelector those/,
  },
  {
    fact: 'an objectSelector for a label that the namespace has with another value',
    story: {
      before: [['PATCH', '/api/v1/namespaces/default', { metadata: { labels: { team: 'blue' } } }]],
      mutating: [{ name: 'a.example.com', objectSelector: { matchLabels: { team: 'red' } } }],
      sent: [create],
    },
    says: /was not called: objectSelector requires team=red/,
    never: /hint:/,
  },
  {
    fact: 'a webhook that says nothing to a DELETE may have looked at an object that is not there',
    story: {
      before: [create],
      validating: [{ name: 'a.example.com' }],
      responses: { 'a.example.com': () => ({ outcome: 'failed', phase: 'headers', error: 'EOF' }) },
      sent: [['DELETE', `${configMaps}/m`]],
    },
    says: /check its log \(on DELETE object is null, oldObject has it\)/,
  },
  {
    fact: 'a field that no writer set is missing in a container that a webhook added',
    story: {
      before: [account],
      mutating: [{ name: 'a.example.com', rules: [rule('pods')] }],
      responses: {
        'a.example.com': () => ({ patch: [{ op: 'add', path: '/spec/containers/-', value: { name: 'late' } }] }),
      },
      sent: [pod],
    },
    says: /a\.example\.com \(checks\) wrote container late without image, which is required\n/,
  },
  {
    fact: 'a CONNECT that no webhook saw came through admission all the same',
    story: { before: [account, pod], sent: [['GET', `${pods}/web/exec?command=ls`]] },
    says: /refused by the API server itself, after admission: .*\n.*hint: kadmit runs no containers/,
  },
  {
    fact: 'the same with a webhook',
    story: { before: [account, pod], validating: [exec], sent: [['GET', `${pods}/web/exec?command=ls`]] },
    says: /refused by the API server itself, after admission: /,
  },
  {
    fact: 'a name that is taken is found after admission',
    story: { before: [create], sent: [create] },
    says: /refused by the API server itself, after admission: configmaps "m" already exists/,
  },
  {
    fact: 'an unreadable body does not reach admission',
    story: { sent: [['POST', configMaps, { metadata: { name: 'm' }, data: 3 }]] },
    says: /create configmaps m in default by admin.*\n.*refused by the API server itself, before admission/,
  },
  {
    fact: 'a resource that is not served was refused by its path',
    story: { sent: [['POST', '/apis/example.com/v1/namespaces/default/widgets', { metadata: { name: 'w' } }]] },
    says: /refused by the API server itself, before admission: 404 page not found\n.*hint: widgets is not served in example\.com\/v1 here: .*CustomResourceDefinition first/,
  },
  {
    fact: 'a JSON patch that does not apply: the explanation names the operation, the response does not',
    story: {
      before: [create],
      sent: [['PATCH', `${configMaps}/m`, [{ op: 'remove', path: '/data/x' }], 'application/json-patch+json']],
    },
    says: /due to an error in our request\n.*hint: the patch does not apply to the stored object: .*remove.*\/data\/x/,
  },
  {
    fact: 'an update that is too late: the explanation has both resourceVersions',
    story: {
      before: [create],
      sent: [['PUT', `${configMaps}/m`, { metadata: { name: 'm', resourceVersion: '1' } }]],
    },
    says: /has been modified; .*\n.*hint: the request has resourceVersion 1, but \d+ is stored/,
  },
  {
    fact: 'fields that the schema does not have are named, though no webhook is involved',
    story: {
      sent: [['POST', configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, datum: { a: 'b' } }]],
    },
    says: /^ADMITTED.*\ndatum was sent, and the API server dropped it\n/,
  },
  {
    fact: 'who put a container into a list is not who added a mount to it',
    story: {
      before: [account],
      mutating: [{ name: 'a.example.com', rules: [rule('pods')] }],
      responses: {
        'a.example.com': () => ({
          patch: [{ op: 'replace', path: '/spec/containers', value: [{ name: 'only', image: 'i:1' }] }],
        }),
      },
      sent: [pod],
    },
    says: /replaced spec\.containers as a whole, which removed container \w+\n.*container c was added by the client\n/,
  },
  {
    fact: 'of a collection each object is named',
    story: {
      before: ['m0', 'm1'].map((name) => ['POST', configMaps, { metadata: { name } }] as const),
      validating: [{ name: 'w.example.com' }],
      sent: [['DELETE', configMaps]],
    },
    all: true,
    says: /^Validating, of m0\n[^]*^Validating, of m1\n/m,
    never: /attempt/,
  },
  {
    fact: 'a Pod is marked as being deleted, and removed: admission is asked of both',
    story: {
      before: [account, pod],
      validating: [{ name: 'w.example.com', rules: [rule('pods', 'DELETE')] }],
      sent: [['DELETE', `${pods}/web`]],
    },
    all: true,
    says: /^Validating\n[^]*^Validating, again: what was marked as being deleted is removed\n/m,
    never: /attempt/,
  },
];

test.each(facts)('$fact', async ({ story, says, never = /^\b$/, all = false }) => {
  const text = renderExplanation(await traceOf(story), { all });
  expect(text).toMatch(says);
  expect(text).not.toMatch(never);
});

test('a refusal by RBAC names the user and the permission', async () => {
  const world = await createTestWorld();
  const bob = { username: 'bob', uid: '', groups: ['system:authenticated'], extra: {} };
  await world.send('POST', configMaps, { metadata: { name: 'm' } }, { as: bob });
  const last = world.finished.at(-1);
  if (last === undefined) throw new Error('nothing was traced');
  expect(renderExplanation(createTrace(last, 'a', last.request.receivedAt))).toMatch(
    /^REFUSED {2}create configmaps m in default by bob: 403.*\n.*\n {4}hint: kubectl auth can-i --list --as 'bob' -n default lists/,
  );
  const log = createTraceLog();
  log.record(last, 0);
  expect(log.list(1)).toMatchObject([{ user: 'bob', name: 'm' }]);
  expect(log.get(last.request.auditId)?.request).toMatchObject({ user: { username: 'bob' }, name: 'm' });
});

test('no third round is mentioned after a refusal', async () => {
  const { headlines } = modelOf(
    await traceOf({
      mutating: [
        { name: 'a.example.com', reinvocationPolicy: 'IfNeeded', rules: [rule('pods')] },
        { name: 'b.example.com', rules: [rule('pods')] },
        { name: 'c.example.com', rules: [rule('pods')] },
      ],
      responses: {
        'a.example.com': () => ({ patch: [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }] }),
        'b.example.com': () => ({ patch: [{ op: 'add', path: '/spec/containers/-', value: { name: 'late' } }] }),
        'c.example.com': () => ({ allowed: false }),
      },
      before: [account],
      sent: [pod],
    }),
  );
  expect(headlines.map(({ text }) => text.replace('mutating webhook ', ''))).toEqual([
    'c.example.com (checks, all namespaces) denied without explanation',
    'a.example.com (checks, all namespaces) was called and added label a',
    'b.example.com (checks, all namespaces) was called and added container late',
  ]);
});
