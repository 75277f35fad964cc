import { expect, test } from 'vitest';
import { creating, type Manifest } from '../strategy/write.ts';

const meta = { metadata: { name: 'x' } };
const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1', ...meta };
const autoscaler = (spec: Manifest): Manifest => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  ...meta,
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }, maxReplicas: 3, ...spec },
});
const podTemplate = (restartPolicy: string): Manifest => ({
  spec: { restartPolicy, containers: [{ name: 'c', image: 'i' }] },
});
const volume = (source: Manifest): Manifest => ({
  apiVersion: 'v1',
  kind: 'Pod',
  ...meta,
  spec: { containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'v', ...source }] },
});

/** The texts follow the validation packages of kubernetes pkg/apis that src/api/validation/ names. */
test.each<readonly [string, Manifest, string]>([
  [
    'a role without verbs',
    { ...rbac, kind: 'Role', rules: [{ apiGroups: [''], resources: ['pods'], verbs: [] }] },
    'Role.rbac.authorization.k8s.io "x" is invalid: rules[0].verbs: Required value: verbs must contain at least one value',
  ],
  [
    'a role for URLs in a namespace',
    { ...rbac, kind: 'Role', rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
    'Role.rbac.authorization.k8s.io "x" is invalid: rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
  ],
  [
    'a binding of a cluster role to an unknown kind of subject',
    {
      ...rbac,
      kind: 'ClusterRoleBinding',
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [{ kind: 'Robot', name: 'u' }],
    },
    'ClusterRoleBinding.rbac.authorization.k8s.io "x" is invalid: [roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole", subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"]',
  ],
  [
    'a name with a slash',
    { ...rbac, kind: 'ClusterRole', metadata: { name: 'a/b' } },
    'ClusterRole.rbac.authorization.k8s.io "a/b" is invalid: metadata.name: Invalid value: "a/b": may not contain \'/\'',
  ],
  [
    'a finalizer without a domain',
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', finalizers: ['hold'] } },
    'ConfigMap "x" is invalid: metadata.finalizers[0]: Invalid value: "hold": name is neither a standard finalizer name nor is it fully qualified',
  ],
  [
    'a schedule of four fields',
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      ...meta,
      spec: { schedule: '* * * *', jobTemplate: { spec: { template: podTemplate('Never') } } },
    },
    'CronJob.batch "x" is invalid: spec.schedule: Invalid value: "* * * *": expected exactly 5 fields, found 4: [* * * *]',
  ],
  [
    'a schedule with a duration that has no unit',
    {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      ...meta,
      spec: { schedule: '@every 5', jobTemplate: { spec: { template: podTemplate('Never') } } },
    },
    'CronJob.batch "x" is invalid: spec.schedule: Invalid value: "@every 5": failed to parse duration @every 5: time: missing unit in duration "5"',
  ],
  [
    'an autoscaler by a metric without its source',
    autoscaler({ metrics: [{ type: 'Resource' }, { type: 'X' }] }),
    'HorizontalPodAutoscaler.autoscaling "x" is invalid: [spec.metrics[0].resource: Required value: must populate information for the given metric source, spec.metrics[1].type: Unsupported value: "X": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"]',
  ],
  [
    'an autoscaler by a metric without a target',
    autoscaler({
      metrics: [{ type: 'Pods', pods: { metric: { name: 'a/b' }, target: { type: 'Value', value: '-1' } } }],
    }),
    'HorizontalPodAutoscaler.autoscaling "x" is invalid: [spec.metrics[0].pods.metric.name: Invalid value: "a/b": may not contain \'/\', spec.metrics[0].pods.target.value: Invalid value: "-1": must be positive, spec.metrics[0].pods.target.averageValue: Required value: must specify a positive target averageValue]',
  ],
  [
    'an autoscaler by two sources',
    autoscaler({
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
          pods: { metric: { name: 'a' }, target: { type: 'AverageValue', averageValue: '1' } },
        },
      ],
    }),
    'HorizontalPodAutoscaler.autoscaling "x" is invalid: spec.metrics[0].pods: Forbidden: must populate the given metric source only',
  ],
  [
    'an autoscaler with a policy of nothing',
    autoscaler({ behavior: { scaleUp: { policies: [{ type: 'P', value: 0, periodSeconds: 2000 }] } } }),
    'HorizontalPodAutoscaler.autoscaling "x" is invalid: [spec.behavior.scaleUp.policies[0].type: Unsupported value: "P": supported values: "Percent", "Pods", spec.behavior.scaleUp.policies[0].value: Invalid value: 0: must be greater than zero, spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 2000: must be less than or equal to 1800]',
  ],
  [
    'a quota of nothing known',
    { apiVersion: 'v1', kind: 'ResourceQuota', ...meta, spec: { hard: { pods: '-1' } } },
    'ResourceQuota "x" is invalid: spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0',
  ],
  [
    'a limit range that contradicts itself',
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      ...meta,
      spec: { limits: [{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }] },
    },
    'LimitRange "x" is invalid: spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
  ],
  [
    'a ratio below one',
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      ...meta,
      spec: { limits: [{ type: 'Pod', maxLimitRequestRatio: { cpu: '0.5' } }] },
    },
    'LimitRange "x" is invalid: spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1',
  ],
  [
    'a ratio that largest and smallest do not allow',
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      ...meta,
      spec: { limits: [{ type: 'Pod', max: { cpu: '3' }, min: { cpu: '2' }, maxLimitRequestRatio: { cpu: '2' } }] },
    },
    'LimitRange "x" is invalid: spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "2": ratio 2 is greater than max/min = 1.500000',
  ],
  [
    'two amounts of what cannot be promised twice',
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      ...meta,
      spec: {
        limits: [
          { type: 'Container', default: { 'hugepages-2Mi': '4Mi' }, defaultRequest: { 'hugepages-2Mi': '2Mi' } },
        ],
      },
    },
    'LimitRange "x" is invalid: spec.limits[0].defaultRequest[hugepages-2Mi]: Invalid value: "2Mi": default value 4Mi must equal to defaultRequest value 2Mi in hugepages-2Mi',
  ],
  [
    'an autoscaler with fewer than its least',
    {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      ...meta,
      spec: {
        minReplicas: 5,
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      },
    },
    'HorizontalPodAutoscaler.autoscaling "x" is invalid: spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`',
  ],
  [
    'a disruption budget with both',
    { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', ...meta, spec: { minAvailable: 1, maxUnavailable: 1 } },
    'PodDisruptionBudget.policy "x" is invalid: spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
  ],
  [
    'a lease for no time',
    { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...meta, spec: { leaseDurationSeconds: 0 } },
    'Lease.coordination.k8s.io "x" is invalid: spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
  ],
  // As client-go tools/leaderelection gives it back.
  [
    'a lease without a holder',
    { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...meta, spec: { holderIdentity: '' } },
    'created',
  ],
  [
    'a volume without capacity or source',
    { apiVersion: 'v1', kind: 'PersistentVolume', ...meta, spec: { accessModes: ['ReadWriteOnce'] } },
    'PersistentVolume "x" is invalid: [spec.capacity: Required value, spec.capacity: Unsupported value: null: supported values: "storage", spec: Required value: must specify a volume type]',
  ],
  [
    'a secret volume without a secret',
    volume({ secret: {} }),
    'Pod "x" is invalid: spec.volumes[0].secret.secretName: Required value',
  ],
  [
    'a host path that climbs',
    volume({ hostPath: { path: '/a/../b' } }),
    'Pod "x" is invalid: spec.volumes[0].hostPath.path: Invalid value: "/a/../b": must not contain \'..\'',
  ],
])('%s', (_sentence, manifest, message) => {
  expect(creating(manifest)).toBe(message);
});
