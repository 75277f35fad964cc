import { expect, test } from 'vitest';
import { creating, type Manifest } from '../strategy/write.ts';

// What kube-apiserver v1.36.2 answered to changed public manifests.

const metadata = { name: 'x' };
const labels = { a: 'b' };
const container = { name: 'c', image: 'i' };
const template = { metadata: { labels }, spec: { containers: [container] } };
const workload = (kind: string, spec: Manifest): Manifest => ({
  apiVersion: 'apps/v1',
  kind,
  metadata,
  spec: { selector: { matchLabels: labels }, template, ...spec },
});
const pod = (spec: Manifest): Manifest => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata,
  spec: { containers: [container], ...spec },
});
const ingress = (path: Manifest): Manifest => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata,
  spec: { rules: [{ http: { paths: [path] } }] },
});
const unreadable = {
  selector: { matchLabels: { a: '-1' } },
  template: { metadata: { labels: { a: '-1' } }, spec: { containers: [{ name: 'c' }] } },
};
const badLabel =
  `spec.selector.matchLabels: Invalid value: "-1": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ` +
  `and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`;
const rolling = (maxUnavailable: unknown, maxSurge: unknown): Manifest => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxUnavailable, maxSurge },
});
const percent = (field: string): string =>
  `${field}: Invalid value: "x": a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')`;
const escalation = 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true';
const contexts = {
  seccompProfile: { type: 'RuntimeDefault' },
  seLinuxOptions: { level: 's0' },
  windowsOptions: { runAsUserName: 'u' },
  appArmorProfile: { type: 'RuntimeDefault' },
};
const claiming = (resourceClaims: readonly Manifest[]): Manifest =>
  pod({ containers: [{ ...container, resources: { claims: [{ name: 'y' }] } }], resourceClaims });
const badTemplate = (kind: string): string => `${kind}.apps "x" is invalid: `;

const rows: readonly (readonly [what: string, object: Manifest, message: unknown])[] = [
  [
    'an ingress path without pathType: nothing else of it is said',
    ingress({}),
    'Ingress.networking.k8s.io "x" is invalid: spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified',
  ],
  ...['Deployment', 'ReplicaSet'].map((kind): readonly [string, Manifest, string] => [
    `a ${kind} with a selector that cannot be read: nothing is said of the template`,
    workload(kind, unreadable),
    `${badTemplate(kind)}[${badLabel}, spec.selector: Invalid value: {"matchLabels":{"a":"-1"}}: invalid label selector]`,
  ]),
  [
    'a StatefulSet with a selector that cannot be read: only its restartPolicy is looked at',
    workload('StatefulSet', {
      ...unreadable,
      serviceName: 's',
      template: { ...unreadable.template, spec: { containers: [{ name: 'c' }], restartPolicy: 'Never' } },
    }),
    `${badTemplate('StatefulSet')}[${badLabel}, spec.selector: Invalid value: {"matchLabels":{"a":"-1"}}, spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"]`,
  ],
  [
    'a strategy of an unknown type is printed as the internal struct',
    workload('Deployment', { strategy: { type: 'zz', rollingUpdate: { maxUnavailable: '5%', maxSurge: 1 } } }),
    expect.stringMatching(
      /Unsupported value: \{"Type":"zz","RollingUpdate":\{"MaxUnavailable":"5%","MaxSurge":1\}\}: supported values: "Recreate", "RollingUpdate"$/,
    ),
  ],
  [
    'so is that of a DaemonSet, with what is not set',
    workload('DaemonSet', { updateStrategy: { type: 'zz', rollingUpdate: { maxUnavailable: '5%' } } }),
    expect.stringMatching(
      /Unsupported value: \{"Type":"zz","RollingUpdate":\{"MaxUnavailable":"5%","MaxSurge":0\}\}: supported values: "RollingUpdate", "OnDelete"$/,
    ),
  ],
  [
    'what is no percentage counts as none in a DaemonSet',
    workload('DaemonSet', { updateStrategy: rolling('x', 0) }),
    `DaemonSet.apps "x" is invalid: [${percent('spec.updateStrategy.rollingUpdate.maxUnavailable')}, spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0]`,
  ],
  [
    'so does its surge',
    workload('DaemonSet', { updateStrategy: rolling('0%', 'x') }),
    `DaemonSet.apps "x" is invalid: [${percent('spec.updateStrategy.rollingUpdate.maxSurge')}, spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0]`,
  ],
  [
    'and in a Deployment',
    workload('Deployment', { strategy: rolling('x', 0) }),
    `Deployment.apps "x" is invalid: [${percent('spec.strategy.rollingUpdate.maxUnavailable')}, spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "x": may not be 0 when \`maxSurge\` is 0]`,
  ],
  [
    'a capacity below zero',
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata,
      spec: { capacity: { storage: '-1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } },
    },
    'PersistentVolume "x" is invalid: [spec.capacity[storage]: Invalid value: -1073741824: must be a valid resource quantity, spec.capacity[storage]: Invalid value: "-1Gi": must be greater than zero]',
  ],
  [
    'a capacity below zero by less than one is rounded up',
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata,
      spec: { capacity: { storage: '-500m' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } },
    },
    'PersistentVolume "x" is invalid: spec.capacity[storage]: Invalid value: "-500m": must be greater than zero',
  ],
  ...(
    [
      ['TZ=UTC * * * * *', ''],
      ['CRON_TZ=Nowhere/X * * * * *', 'provided bad location Nowhere/X: unknown time zone Nowhere/X'],
      ['TZ=UTC 60 * * * *', 'end of range (60) above maximum (59): 60'],
    ] as const
  ).map(([schedule, fault]): readonly [string, Manifest, string] => {
    const said = [fault, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'].filter(Boolean);
    const errors = said.map((text) => `spec.schedule: Invalid value: "${schedule}": ${text}`);
    const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } };
    return [
      `a schedule ${schedule} is parsed, and its zone refused`,
      { apiVersion: 'batch/v1', kind: 'CronJob', metadata, spec: { schedule, jobTemplate } },
      `CronJob.batch "x" is invalid: ${errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`}`,
    ];
  }),
  [
    'a capacity of the least number of 64 bits is printed whole',
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata,
      spec: {
        capacity: { storage: '-9223372036854775808' },
        accessModes: ['ReadWriteOnce'],
        hostPath: { path: '/a' },
      },
    },
    'PersistentVolume "x" is invalid: [spec.capacity[storage]: Invalid value: -9223372036854775808: must be a valid resource quantity, spec.capacity[storage]: Invalid value: "-9223372036854775808": must be greater than zero]',
  ],
  [
    'a container and an init container without names',
    pod({ containers: [{ image: 'i' }], initContainers: [{ image: 'i' }] }),
    'Pod "x" is invalid: [spec.containers[0].name: Required value, spec.initContainers[0].name: Required value, spec.initContainers[0].name: Duplicate value: ""]',
  ],
  [
    'two init containers without names repeat nothing',
    pod({ initContainers: [{ image: 'i' }, { image: 'i' }] }),
    'Pod "x" is invalid: [spec.initContainers[0].name: Required value, spec.initContainers[1].name: Required value]',
  ],
  [
    'a security context is printed with all fields of its structs',
    pod({
      containers: [
        { ...container, securityContext: { privileged: true, allowPrivilegeEscalation: false, ...contexts } },
      ],
    }),
    'Pod "x" is invalid: spec.containers[0].securityContext: Invalid value: {"Capabilities":null,"Privileged":true,' +
      '"SELinuxOptions":{"User":"","Role":"","Type":"","Level":"s0"},' +
      '"WindowsOptions":{"GMSACredentialSpecName":null,"GMSACredentialSpec":null,"RunAsUserName":"u","HostProcess":null},' +
      '"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,' +
      `"SeccompProfile":{"Type":"RuntimeDefault","LocalhostProfile":null},"AppArmorProfile":{"Type":"RuntimeDefault","LocalhostProfile":null}}: ${escalation}`,
  ],
  [
    'claims of a pod without names are none',
    claiming([{}]),
    expect.stringMatching(
      /claims\[0\]: Not found: "y": must be one of the names in pod.spec.resourceClaims which is empty/,
    ),
  ],
  [
    'a claim without a name is not listed',
    claiming([{}, { name: 'x', resourceClaimName: 'z' }]),
    expect.stringMatching(/claims\[0\]: Not found: "y": must be one of the names in pod.spec.resourceClaims: x[\],]/),
  ],
];

test.each(rows)('%s', (_what, object, message) => {
  expect(creating(object)).toEqual(message);
});
