// One part of `npm run bench trials` in a process of its own: prints its seconds of processor time, what it did and the most memory it held.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [part, folder] = process.argv.slice(2);
const library = await import(pathToFileURL(resolve('dist/library.js')).href);
const file = (name, objects) => {
  writeFileSync(join(folder, name), objects.map((one) => JSON.stringify(one)).join('\n---\n'));
  return join(folder, name);
};
const pods = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['pods'] }];
const registration = 'admissionregistration.k8s.io/v1';
const many = (count, make) => Array.from({ length: count }, (_, at) => make(at));
const pod = (name) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels: { app: name } },
  spec: { containers: [{ name: 'web', image: 'nginx:1' }] },
});

/** Webhooks with conditions and selectors, half of them mutating, each with its Service and Deployment. */
const configuration = (at) => ({
  apiVersion: registration,
  kind: at % 2 === 0 ? 'ValidatingWebhookConfiguration' : 'MutatingWebhookConfiguration',
  metadata: { name: `c${at}` },
  webhooks: [
    {
      name: `w${at}.example.com`,
      failurePolicy: at % 3 === 0 ? 'Fail' : 'Ignore',
      timeoutSeconds: 2,
      clientConfig: { service: { namespace: `ns${at}`, name: `s${at}` } },
      rules: pods,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      matchConditions: [{ name: 'own', expression: `object.metadata.namespace != 'ns${at}'` }],
      namespaceSelector: {
        matchExpressions: [
          { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system', `ns${at}`] },
        ],
      },
    },
  ],
});
const backend = (at) => [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `s${at}`, namespace: `ns${at}` },
    spec: { selector: { app: `s${at}` }, ports: [{ port: 443 }] },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: `s${at}`, namespace: `ns${at}` },
    spec: { template: { metadata: { labels: { app: `s${at}` } }, spec: { containers: [{ name: 'a', image: 'a' }] } } },
  },
];

/** Policies of the usual kinds, bound everywhere. */
const policy = (at) => [
  {
    apiVersion: registration,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: `p${at}` },
    spec: {
      matchConstraints: { resourceRules: pods },
      matchConditions: [{ name: 'own', expression: `object.metadata.namespace != 'ns${at}'` }],
      validations: [
        { expression: "object.spec.containers.all(c, !c.image.endsWith(':latest'))" },
        { expression: `!has(object.metadata.labels) || object.metadata.labels.?app.orValue('') != 'bad-${at}'` },
      ],
    },
  },
  {
    apiVersion: registration,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: `p${at}` },
    spec: { policyName: `p${at}`, validationActions: ['Deny'] },
  },
];
const event = (at) => ({
  kind: 'Event',
  apiVersion: 'audit.k8s.io/v1',
  level: 'Request',
  auditID: `id-${at}`,
  stage: 'ResponseComplete',
  requestURI: '/api/v1/namespaces/default/pods',
  verb: 'create',
  user: { username: 'alice', groups: ['system:authenticated'] },
  objectRef: { resource: 'pods', namespace: 'default', name: `web-${at}`, apiVersion: 'v1' },
  responseStatus: { code: 201 },
  requestObject: pod(`web-${at}`),
});

const parts = {
  lint: () => {
    const path = file('lint.yaml', many(300, (at) => [configuration(at), ...backend(at)]).flat());
    return () => `${library.lint(path).findings.length} findings`;
  },
  permute: () => {
    const mutator = (at) => ({
      name: `w${at}.example.com`,
      type: 'mutating',
      rules: 'pods',
      does: { label: { [`by-${at}`]: 'yes' } },
    });
    const scenario = { webhooks: many(6, mutator), steps: many(20, (at) => ({ create: pod(`web-${at}`) })) };
    writeFileSync(join(folder, 'scenario.yaml'), JSON.stringify(scenario));
    return async () => {
      const [report] = await library.permute({ requests: [join(folder, 'scenario.yaml')] });
      return `${report.requests.reduce((sum, { orders }) => sum + orders, 0)} orders`;
    };
  },
  replay: () => {
    const count = Number(process.argv[4] ?? 100_000);
    const load = file('policies.yaml', many(10, policy).flat());
    const log = join(folder, 'audit.log');
    writeFileSync(log, '');
    for (let at = 0; at < count; at += 1000)
      writeFileSync(log, `${many(1000, (one) => JSON.stringify(event(at + one))).join('\n')}\n`, { flag: 'a' });
    return async () => {
      const { replayed } = await library.replayLog({ load: [load], auditLog: log });
      return `${replayed} replayed`;
    };
  },
};

const run = parts[part]();
const before = process.cpuUsage();
const did = await run();
const { user, system } = process.cpuUsage(before);
const seconds = (user + system) / 1e6;
console.log(JSON.stringify({ seconds, did, mebibytes: process.resourceUsage().maxRSS / 1024 }));
process.exit(0);
