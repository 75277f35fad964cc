// Requests that are dear for a server that is not careful: everything a client may make long, made long.

/**
 * `cases` by name: each makes its requests, whose bodies have up to `limit` bytes. `beforehand` is what has to be there.
 */
export function hostileBodies(limit) {
  const mostValues = 99_900;
  const ns = '/api/v1/namespaces/default';
  const json = 'application/json';
  const strategic = 'application/strategic-merge-patch+json';
  const merge = 'application/merge-patch+json';
  const jsonPatch = 'application/json-patch+json';
  const apply = 'application/apply-patch+yaml';
  const yaml = 'application/yaml';

  /** As many items as fit into the body beside `rest`, in bytes and in values. */
  function fill(item, rest = 600, most = Infinity) {
    const items = [];
    let values = mostValues * (rest / limit);
    for (let size = rest, at = 0; at < most; at += 1) {
      const made = item(at);
      const text = JSON.stringify(made);
      size += text.length + 1;
      values += 1 + (text.match(/[,[{]/g)?.length ?? 0);
      if (size > limit || values > mostValues) break;
      items.push(made);
    }
    return items;
  }

  const object = (entries) => Object.fromEntries(entries);
  const map = (name, field) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...field });
  const named = (name, metadata) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } });
  const pod = (spec, containers = [{ name: 'c', image: 'a' }]) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: { containers, ...spec },
  });
  const oneContainer = (fields) => pod({}, [{ name: 'c', image: 'a', ...fields }]);
  const post = (path, body, type = json) => ({ method: 'POST', path, type, body });
  const patch = (path, type, body) => ({ method: 'PATCH', path, type, body });
  const toPods = (body) => [post(`${ns}/pods`, body)];
  const toMaps = (body) => [post(`${ns}/configmaps`, body)];
  const owner = (at) => ({ apiVersion: 'v1', kind: 'Pod', name: `n${at}`, uid: `u${at}` });
  const yamlOf = (data) => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: y\n${data}`;
  const deep = (levels, inner = 1) => `${'{"a":'.repeat(levels)}${JSON.stringify(inner)}${'}'.repeat(levels)}`;
  const webhook = (fields) => ({
    name: 'a.b.c',
    clientConfig: { url: 'https://127.0.0.1:1/' },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...fields,
  });
  const webhooks = (list) => [
    post('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'w' },
      webhooks: list,
    }),
  ];
  const condition = (at, size) => ({
    name: `c${at}`,
    expression: Array.from({ length: size }, (_none, n) => `object.metadata.name != "x${at}-${n}"`).join(' && '),
  });
  const deployment = (spec) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'd' },
    spec: {
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'a' }] } },
      ...spec,
    },
  });
  const toDeployments = (body) => [post('/apis/apps/v1/namespaces/default/deployments', body)];
  const kind = (apiVersion, kindName, fields) => ({ apiVersion, kind: kindName, metadata: { name: 'k' }, ...fields });

  const beforehand = toMaps(map('here', { data: { a: 'b' } }));

  const lists = {
    'one long string': () => toMaps(map('s', { data: { a: 'x'.repeat(limit - 200) } })),
    'configmap keys': () => toMaps(map('m', { data: object(fill((at) => [`k${at}`, 'v'])) })),
    'configmap keys of 1 MiB, stored': () =>
      toMaps(map('m', { data: object(fill((at) => [`k${at}`, 'v'], limit * 0.67)) })),
    'configmap, escapes everywhere': () => toMaps(map('m', { data: { a: '\n"'.repeat(limit / 4.5) } })),
    'configmap, non-ASCII': () => toMaps(map('m', { data: { a: 'é'.repeat(limit / 2.2) } })),
    'numbers written oddly': () => [
      post(
        `${ns}/configmaps`,
        `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"n"},"x":[${'1.0,'.repeat(Math.min(limit / 4.2, mostValues))}1]}`,
      ),
    ],
    'unknown fields': () => toMaps(map('m', object(fill((at) => [`field${at}`, 1])))),
    'unknown fields, strict': () => [
      post(`${ns}/configmaps?fieldValidation=Strict`, map('m', object(fill((at) => [`field${at}`, 1])))),
    ],
    'the same key': () => [
      post(
        `${ns}/configmaps`,
        `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"n"},"data":{${'"a":"b",'.repeat(Math.min(limit / 8.3, mostValues))}"a":"c"}}`,
      ),
    ],
    'empty lists, nested': () => [post(`${ns}/configmaps`, `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`)],
    'empty objects': () => [
      post(
        `${ns}/pods`,
        `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n"},"spec":{"containers":[${'{},'.repeat(Math.min(limit / 3.2, mostValues / 2))}{}]}}`,
      ),
    ],
    ownerReferences: () => toMaps(named('o', { ownerReferences: fill(owner) })),
    'ownerReferences, all the same': () => toMaps(named('o', { ownerReferences: fill(() => owner(1)) })),
    'ownerReferences, controllers': () =>
      toMaps(named('o', { ownerReferences: fill((at) => ({ ...owner(at), controller: true })) })),
    finalizers: () => toMaps(named('f', { finalizers: fill((at) => `a.b/${at}`) })),
    labels: () => toMaps(named('l', { labels: object(fill((at) => [`a${at}`, 'b'])) })),
    annotations: () => toMaps(named('l', { annotations: object(fill((at) => [`a${at}`, 'b'])) })),
    managedFields: () =>
      toMaps(
        named('g', {
          managedFields: fill((at) => ({
            manager: `m${at}`,
            operation: 'Update',
            apiVersion: 'v1',
            time: '2020-01-01T00:00:00Z',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': {} },
          })),
        }),
      ),
    'managedFields, one long': () =>
      toMaps(
        named('g', {
          managedFields: [
            {
              manager: 'm',
              operation: 'Update',
              apiVersion: 'v1',
              time: '2020-01-01T00:00:00Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:data': object(fill((at) => [`f:a${at}`, {}])) },
            },
          ],
        }),
      ),
    containers: () =>
      toPods(
        pod(
          {},
          fill((at) => ({ name: `c${at}`, image: 'a' })),
        ),
      ),
    'containers, same name': () =>
      toPods(
        pod(
          {},
          fill(() => ({ name: 'c', image: 'a' })),
        ),
      ),
    initContainers: () => toPods(pod({ initContainers: fill((at) => ({ name: `i${at}`, image: 'a' })) })),
    env: () => toPods(oneContainer({ env: fill((at) => ({ name: `E${at}`, value: 'v' })) })),
    'env, same name': () => toPods(oneContainer({ env: fill(() => ({ name: 'E', value: 'v' })) })),
    envFrom: () => toPods(oneContainer({ envFrom: fill((at) => ({ configMapRef: { name: `e${at}` } })) })),
    ports: () => toPods(oneContainer({ ports: fill((at) => ({ containerPort: 1 + (at % 65000) })) })),
    'ports with names and host ports': () =>
      toPods(
        oneContainer({
          ports: fill((at) => ({ name: `p${at}`, containerPort: 1 + (at % 65000), hostPort: 1 + (at % 65000) })),
        }),
      ),
    args: () => toPods(oneContainer({ args: fill((at) => `a${at}`) })),
    volumes: () => toPods(pod({ volumes: fill((at) => ({ name: `v${at}`, emptyDir: {} })) })),
    volumeMounts: () =>
      toPods(oneContainer({ volumeMounts: fill((at) => ({ name: `v${at}`, mountPath: `/m${at}` })) })),
    'volumes and their mounts': () =>
      toPods(
        pod({ volumes: fill((at) => ({ name: `v${at}`, emptyDir: {} }), limit * 0.54) }, [
          {
            name: 'c',
            image: 'a',
            volumeMounts: fill((at) => ({ name: `v${at}`, mountPath: `/m${at}` }), limit * 0.54),
          },
        ]),
      ),
    'projected sources': () =>
      toPods(
        pod({
          volumes: [
            {
              name: 'v',
              projected: {
                sources: fill((at) => ({ configMap: { name: `c${at}`, items: [{ key: 'a', path: `p${at}` }] } })),
              },
            },
          ],
        }),
      ),
    tolerations: () => toPods(pod({ tolerations: fill((at) => ({ key: `k${at}`, operator: 'Exists' })) })),
    imagePullSecrets: () => toPods(pod({ imagePullSecrets: fill((at) => ({ name: `s${at}` })) })),
    hostAliases: () =>
      toPods(pod({ hostAliases: fill((at) => ({ ip: `10.0.${at % 250}.${at % 251}`, hostnames: ['a'] })) })),
    topologySpreadConstraints: () =>
      toPods(
        pod({
          topologySpreadConstraints: fill((at) => ({
            maxSkew: 1,
            topologyKey: `k${at}`,
            whenUnsatisfiable: 'DoNotSchedule',
          })),
        }),
      ),
    readinessGates: () => toPods(pod({ readinessGates: fill((at) => ({ conditionType: `c${at}` })) })),
    schedulingGates: () => toPods(pod({ schedulingGates: fill((at) => ({ name: `c${at}` })) })),
    resourceClaims: () => toPods(pod({ resourceClaims: fill((at) => ({ name: `c${at}`, resourceClaimName: 'a' })) })),
    sysctls: () => toPods(pod({ securityContext: { sysctls: fill((at) => ({ name: `a.b${at}`, value: '1' })) } })),
    supplementalGroups: () => toPods(pod({ securityContext: { supplementalGroups: fill((at) => at) } })),
    nodeSelector: () => toPods(pod({ nodeSelector: object(fill((at) => [`k${at}`, 'v'])) })),
    'node affinity values': () =>
      toPods(
        pod({
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: [
                  { matchExpressions: [{ key: 'a', operator: 'In', values: fill((at) => `v${at}`) }] },
                ],
              },
            },
          },
        }),
      ),
    'node affinity terms': () =>
      toPods(
        pod({
          affinity: {
            nodeAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: {
                nodeSelectorTerms: fill((at) => ({ matchExpressions: [{ key: `a${at}`, operator: 'Exists' }] })),
              },
            },
          },
        }),
      ),
    'pod anti-affinity': () =>
      toPods(
        pod({
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: fill((at) => ({
                topologyKey: `k${at}`,
                labelSelector: { matchLabels: { a: 'b' } },
              })),
            },
          },
        }),
      ),
    'resource names': () => toPods(oneContainer({ resources: { limits: object(fill((at) => [`a.b/r${at}`, '1'])) } })),
    'resource requests and limits': () =>
      toPods(
        oneContainer({
          resources: {
            limits: object(fill((at) => [`a.b/r${at}`, '1'], limit * 0.54)),
            requests: object(fill((at) => [`a.b/r${at}`, '1'], limit * 0.54)),
          },
        }),
      ),
    'quantities of many digits': () =>
      toPods(oneContainer({ resources: { limits: { cpu: '9'.repeat(limit - 600) } } })),
    'quantities with large exponents': () =>
      toPods(oneContainer({ resources: { limits: object(fill((at) => [`a.b/r${at}`, `1e${900 + (at % 90)}`])) } })),
    'quantities after the point': () =>
      toPods(oneContainer({ resources: { limits: { cpu: `0.${'0'.repeat(limit - 600)}1` } } })),
    'an integer of many digits': () => [
      post(
        `${ns}/pods`,
        `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n"},"spec":{"priority":${'9'.repeat(limit - 200)}}}`,
      ),
    ],
    'ephemeral containers': () => toPods(pod({ ephemeralContainers: fill((at) => ({ name: `c${at}`, image: 'a' })) })),
    'deployment template env': () =>
      toDeployments(
        deployment({
          template: {
            metadata: { labels: { a: 'b' } },
            spec: { containers: [{ name: 'c', image: 'a', env: fill((at) => ({ name: `E${at}`, value: 'v' })) }] },
          },
        }),
      ),
    'selector expressions': () =>
      toDeployments(
        deployment({ selector: { matchExpressions: fill((at) => ({ key: `k${at}`, operator: 'Exists' })) } }),
      ),
    'selector values': () =>
      toDeployments(
        deployment({ selector: { matchExpressions: [{ key: 'a', operator: 'In', values: fill((at) => `v${at}`) }] } }),
      ),
    'service ports': () => [
      post(
        `${ns}/services`,
        kind('v1', 'Service', { spec: { ports: fill((at) => ({ name: `p${at}`, port: 1 + (at % 65000) })) } }),
      ),
    ],
    'service externalIPs': () => [
      post(
        `${ns}/services`,
        kind('v1', 'Service', {
          spec: { ports: [{ port: 1 }], externalIPs: fill((at) => `10.0.${at % 250}.${(at >> 8) % 251}`) },
        }),
      ),
    ],
    'endpoints addresses': () => [
      post(
        `${ns}/endpoints`,
        kind('v1', 'Endpoints', {
          subsets: [
            {
              addresses: fill((at) => ({ ip: `10.${(at >> 16) % 250}.${(at >> 8) % 250}.${at % 250}` })),
              ports: [{ port: 1 }],
            },
          ],
        }),
      ),
    ],
    'endpoints subsets': () => [
      post(
        `${ns}/endpoints`,
        kind('v1', 'Endpoints', {
          subsets: fill((at) => ({
            addresses: [{ ip: `10.${(at >> 16) % 250}.${(at >> 8) % 250}.${at % 250}` }],
            ports: [{ port: 1 + (at % 60000) }],
          })),
        }),
      ),
    ],
    'endpoint slice': () => [
      post(
        '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
        kind('discovery.k8s.io/v1', 'EndpointSlice', {
          addressType: 'IPv4',
          endpoints: fill((at) => ({ addresses: [`10.${(at >> 16) % 250}.${(at >> 8) % 250}.${at % 250}`] })),
          ports: [],
        }),
      ),
    ],
    'ingress rules': () => [
      post(
        '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
        kind('networking.k8s.io/v1', 'Ingress', { spec: { rules: fill((at) => ({ host: `h${at}.a.b` })) } }),
      ),
    ],
    'ingress paths': () => [
      post(
        '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
        kind('networking.k8s.io/v1', 'Ingress', {
          spec: {
            rules: [
              {
                http: {
                  paths: fill((at) => ({
                    path: `/${at}`,
                    pathType: 'Prefix',
                    backend: { service: { name: 'a', port: { number: 1 } } },
                  })),
                },
              },
            ],
          },
        }),
      ),
    ],
    'network policy peers': () => [
      post(
        '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies',
        kind('networking.k8s.io/v1', 'NetworkPolicy', {
          spec: {
            podSelector: {},
            ingress: [{ from: fill((at) => ({ ipBlock: { cidr: `10.${(at >> 8) % 250}.${at % 250}.0/24` } })) }],
          },
        }),
      ),
    ],
    'role rules': () => [
      post(
        '/apis/rbac.authorization.k8s.io/v1/clusterroles',
        kind('rbac.authorization.k8s.io/v1', 'ClusterRole', {
          rules: fill((at) => ({ apiGroups: [''], resources: [`r${at}`], verbs: ['get'] })),
        }),
      ),
    ],
    'one role rule': () => [
      post(
        '/apis/rbac.authorization.k8s.io/v1/clusterroles',
        kind('rbac.authorization.k8s.io/v1', 'ClusterRole', {
          rules: [{ apiGroups: [''], resources: fill((at) => `r${at}`), verbs: ['get'] }],
        }),
      ),
    ],
    'selectors of a role': () => [
      post(
        '/apis/rbac.authorization.k8s.io/v1/clusterroles',
        kind('rbac.authorization.k8s.io/v1', 'ClusterRole', {
          aggregationRule: { clusterRoleSelectors: fill((at) => ({ matchLabels: { [`a.b/${at}`]: 'c' } })) },
        }),
      ),
    ],
    'access modes that are none': () => [
      post(
        `${ns}/persistentvolumeclaims`,
        kind('v1', 'PersistentVolumeClaim', { spec: { accessModes: fill((at) => `a${at}`) } }),
      ),
    ],
    'scopes of a quota': () => [
      post(`${ns}/resourcequotas`, kind('v1', 'ResourceQuota', { spec: { scopes: fill((at) => `a${at}`) } })),
    ],
    'values of a topology': () => [
      post(
        '/apis/storage.k8s.io/v1/storageclasses',
        kind('storage.k8s.io/v1', 'StorageClass', {
          provisioner: 'a.b/c',
          allowedTopologies: [{ matchLabelExpressions: [{ key: 'a', values: fill((at) => `v${at}`) }] }],
        }),
      ),
    ],
    'addresses and families of a service': () => [
      post(
        `${ns}/services`,
        kind('v1', 'Service', {
          spec: {
            ports: [{ port: 1 }],
            clusterIPs: fill((at) => `a${at}`, limit * 0.5),
            ipFamilies: fill((at) => `a${at}`, limit * 0.5),
          },
        }),
      ),
    ],
    'exit codes': () => [
      post(
        '/apis/batch/v1/namespaces/default/jobs',
        kind('batch/v1', 'Job', {
          spec: {
            template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
            podFailurePolicy: {
              rules: [{ action: 'Ignore', onExitCodes: { operator: 'In', values: fill((at) => at) } }],
            },
          },
        }),
      ),
    ],
    'finalizers of a namespace': () => [
      post('/api/v1/namespaces', kind('v1', 'Namespace', { spec: { finalizers: fill((at) => `a ${at}`) } })),
    ],
    'binding subjects': () => [
      post(
        '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
        kind('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', {
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
          subjects: fill((at) => ({ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: `u${at}` })),
        }),
      ),
    ],
    'autoscaler metrics': () => [
      post(
        '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers',
        kind('autoscaling/v2', 'HorizontalPodAutoscaler', {
          spec: {
            maxReplicas: 2,
            scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
            metrics: fill(() => ({
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 5 } },
            })),
          },
        }),
      ),
    ],
    'autoscaler metrics, v1 annotation': () => [
      post('/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers', {
        ...kind('autoscaling/v1', 'HorizontalPodAutoscaler', {
          spec: { maxReplicas: 2, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' } },
        }),
        metadata: {
          name: 'k',
          annotations: {
            'autoscaling.alpha.kubernetes.io/metrics': JSON.stringify(
              fill(() => ({ type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 5 } }), limit * 0.9),
            ),
          },
        },
      }),
    ],
    'secret data': () => [
      post(`${ns}/secrets`, kind('v1', 'Secret', { data: object(fill((at) => [`k${at}`, 'YQ=='])) })),
    ],
    'one long secret': () => [
      post(`${ns}/secrets`, kind('v1', 'Secret', { data: { a: `${'YWFh'.repeat(limit / 4 - 100)}YQ==` } })),
    ],
    'one long secret text': () => [
      post(`${ns}/secrets`, kind('v1', 'Secret', { stringData: { a: 'é'.repeat(limit / 2 - 200) } })),
    ],
    'secret of 1 MB, stored': () => [
      post(`${ns}/secrets`, kind('v1', 'Secret', { data: { a: 'YWFh'.repeat(Math.min(limit / 4 - 100, 340_000)) } })),
    ],
    'secret stringData': () => [
      post(`${ns}/secrets`, kind('v1', 'Secret', { stringData: object(fill((at) => [`k${at}`, 'v'])) })),
    ],
    'limit range': () => [
      post(
        `${ns}/limitranges`,
        kind('v1', 'LimitRange', {
          spec: { limits: [{ type: 'Container', max: object(fill((at) => [`a.b/r${at}`, '1'])) }] },
        }),
      ),
    ],
    'limit range items': () => [
      post(
        `${ns}/limitranges`,
        kind('v1', 'LimitRange', { spec: { limits: fill((at) => ({ type: `a.b/T${at}`, max: { cpu: '1' } })) } }),
      ),
    ],
    'resource quota': () => [
      post(
        `${ns}/resourcequotas`,
        kind('v1', 'ResourceQuota', { spec: { hard: object(fill((at) => [`count/r${at}.a`, '1'])) } }),
      ),
    ],
    'node taints': () => [
      post(
        '/api/v1/nodes',
        kind('v1', 'Node', { spec: { taints: fill((at) => ({ key: `k${at}`, effect: 'NoSchedule' })) } }),
      ),
    ],
    'storage class parameters': () => [
      post(
        '/apis/storage.k8s.io/v1/storageclasses',
        kind('storage.k8s.io/v1', 'StorageClass', {
          provisioner: 'a.b/c',
          parameters: object(fill((at) => [`k${at}`, 'v'])),
        }),
      ),
    ],
    'event message': () => [
      post(
        `${ns}/events`,
        kind('v1', 'Event', { involvedObject: { namespace: 'default' }, message: 'm'.repeat(limit - 400) }),
      ),
    ],
    'subject access review groups': () => [
      post(
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        kind('authorization.k8s.io/v1', 'SubjectAccessReview', {
          metadata: {},
          spec: { user: 'u', groups: fill((at) => `g${at}`), resourceAttributes: { verb: 'get', resource: 'pods' } },
        }),
      ),
    ],
    'subject access review extra': () => [
      post(
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        kind('authorization.k8s.io/v1', 'SubjectAccessReview', {
          metadata: {},
          spec: {
            user: 'u',
            extra: object(fill((at) => [`a${at}`, ['b']])),
            resourceAttributes: { verb: 'get', resource: 'pods' },
          },
        }),
      ),
    ],
    'token review': () => [
      post(
        '/apis/authentication.k8s.io/v1/tokenreviews',
        kind('authentication.k8s.io/v1', 'TokenReview', {
          metadata: {},
          spec: { token: `a.${'b'.repeat(limit - 400)}.c` },
        }),
      ),
    ],
    'token audiences': () => [
      post(
        `${ns}/serviceaccounts/default/token`,
        kind('authentication.k8s.io/v1', 'TokenRequest', { metadata: {}, spec: { audiences: fill((at) => `a${at}`) } }),
      ),
    ],
    'delete options': () => [
      {
        method: 'DELETE',
        path: `${ns}/configmaps/none`,
        type: json,
        body: { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: fill((at) => `d${at}`) },
      },
    ],
    'stateful set claims': () => [
      post('/apis/apps/v1/namespaces/default/statefulsets', {
        ...deployment({
          serviceName: 'a',
          volumeClaimTemplates: fill((at) => ({
            metadata: { name: `v${at}` },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } },
          })),
        }),
        kind: 'StatefulSet',
      }),
    ],
    'csr usages': () => [
      post(
        '/apis/certificates.k8s.io/v1/certificatesigningrequests',
        kind('certificates.k8s.io/v1', 'CertificateSigningRequest', {
          spec: { request: 'YQ==', signerName: 'a.b/c', usages: fill(() => 'client auth') },
        }),
      ),
    ],
  };

  const configurations = {
    webhooks: () => webhooks(fill((at) => webhook({ name: `a${at}.b.c` }))),
    'a caBundle that begins all the time': () =>
      webhooks([
        webhook({
          clientConfig: {
            url: 'https://127.0.0.1:1/',
            caBundle: Buffer.from('-----BEGIN A-----\n'.repeat(limit / 25)).toString('base64'),
          },
        }),
      ]),
    'webhook rules': () =>
      webhooks([
        webhook({
          rules: fill((at) => ({
            apiGroups: [''],
            apiVersions: ['v1'],
            operations: ['CREATE'],
            resources: [`r${at}`],
          })),
        }),
      ]),
    'webhook rule, resources': () =>
      webhooks([
        webhook({
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: fill((at) => `r${at}`) }],
        }),
      ]),
    'webhook selector': () =>
      webhooks([
        webhook({ namespaceSelector: { matchExpressions: fill((at) => ({ key: `k${at}`, operator: 'Exists' })) } }),
      ]),
    '64 match conditions': () =>
      webhooks([
        webhook({ matchConditions: Array.from({ length: 64 }, (_none, at) => condition(at, limit / 64 / 46)) }),
      ]),
    'one match condition of 3 MiB': () => webhooks([webhook({ matchConditions: [condition(1, limit / 46)] })]),
    'a match condition, deep': () =>
      webhooks([
        webhook({
          matchConditions: [{ name: 'd', expression: `${'('.repeat(limit / 8)}true${')'.repeat(limit / 8)}` }],
        }),
      ]),
    'a match condition, one list': () =>
      webhooks([webhook({ matchConditions: [{ name: 'd', expression: `1 in [${'1,'.repeat(limit / 2.6)}1]` }] })]),
    'a match condition, one string': () =>
      webhooks([webhook({ matchConditions: [{ name: 'd', expression: `"${'a'.repeat(limit - 800)}" == ""` }] })]),
    'a match condition, no expression': () =>
      webhooks([webhook({ matchConditions: [{ name: 'd', expression: '&'.repeat(limit - 800) }] })]),
    'versions of a definition': () => [
      post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
        ...kind('apiextensions.k8s.io/v1', 'CustomResourceDefinition', {
          spec: {
            group: 'x.io',
            scope: 'Namespaced',
            names: { plural: 'as', kind: 'A' },
            versions: fill((at) => ({
              name: `v${at + 1}`,
              served: true,
              storage: at === 0,
              schema: { openAPIV3Schema: { type: 'object' } },
            })),
          },
        }),
        metadata: { name: 'as.x.io' },
      }),
    ],
    'review versions': () => webhooks([webhook({ admissionReviewVersions: fill((at) => `v${at + 1}`) })]),
  };

  const here = `${ns}/configmaps/here`;
  const patches = {
    'finalizers by strategic patch': () => [
      patch(here, strategic, { metadata: { finalizers: fill((at) => `a.b/${at}`) } }),
    ],
    'finalizers by merge patch': () => [patch(here, merge, { metadata: { finalizers: fill((at) => `a.b/${at}`) } })],
    'finalizers deleted one by one': () => [
      patch(here, strategic, { metadata: { '$deleteFromPrimitiveList/finalizers': fill((at) => `a.b/${at}`) } }),
    ],
    'finalizers, order': () => [
      patch(here, strategic, {
        metadata: {
          finalizers: fill((at) => `a.b/${at}`, limit * 0.5),
          '$setElementOrder/finalizers': fill((at) => `a.b/${at}`, limit * 0.5),
        },
      }),
    ],
    'ownerReferences by strategic patch': () => [
      patch(here, strategic, { metadata: { ownerReferences: fill(owner) } }),
    ],
    'data by merge patch': () => [patch(here, merge, { data: object(fill((at) => [`k${at}`, 'v'])) })],
    'data by strategic patch': () => [patch(here, strategic, { data: object(fill((at) => [`k${at}`, 'v'])) })],
    'nulls by merge patch': () => [patch(here, merge, { data: object(fill((at) => [`k${at}`, null])) })],
    'a deep merge patch': () => [patch(here, merge, `{"x":${deep(9_990)}}`)],
    'a deep strategic patch': () => [patch(here, strategic, `{"data":${deep(9_990)}}`)],
    'containers by strategic patch': () => [
      ...toPods(pod({})),
      patch(`${ns}/pods/p`, strategic, { spec: { containers: fill((at) => ({ name: `c${at}`, image: 'a' })) } }),
    ],
    'containers by strategic patch, ordered': () => [
      ...toPods(pod({})),
      patch(`${ns}/pods/p`, strategic, {
        spec: {
          containers: fill((at) => ({ name: `c${at}`, image: 'a' }), limit * 0.5),
          '$setElementOrder/containers': fill((at) => ({ name: `c${at}` }), limit * 0.5),
        },
      }),
    ],
    'containers deleted by strategic patch': () => [
      ...toPods(pod({})),
      patch(`${ns}/pods/p`, strategic, { spec: { containers: fill((at) => ({ name: `c${at}`, $patch: 'delete' })) } }),
    ],
    'env on env by strategic patch': () => [
      ...toDeployments(
        deployment({
          template: {
            metadata: { labels: { a: 'b' } },
            spec: {
              containers: [{ name: 'c', image: 'a', env: fill((at) => ({ name: `E${at}`, value: 'v' }), limit * 0.5) }],
            },
          },
        }),
      ),
      patch('/apis/apps/v1/namespaces/default/deployments/d', strategic, {
        spec: {
          template: {
            spec: { containers: [{ name: 'c', env: fill((at) => ({ name: `E${at}`, value: 'w' }), limit * 0.5) }] },
          },
        },
      }),
    ],
    'operations of a JSON patch': () => [
      patch(
        here,
        jsonPatch,
        fill((at) => ({ op: 'add', path: `/data/k${at}`, value: 'v' })),
      ),
    ],
    '10,000 operations of a JSON patch': () => [
      patch(
        here,
        jsonPatch,
        fill((at) => ({ op: 'add', path: `/data/k${at}`, value: 'v' }), 600, 9_999),
      ),
    ],
    '10,000 insertions': () => [
      patch(here, jsonPatch, [
        { op: 'add', path: '/metadata/finalizers', value: fill((at) => `a.b/${at}`, limit * 0.3) },
        ...fill(() => ({ op: 'add', path: '/metadata/finalizers/0', value: 'a.b/c' }), 600, 9_998),
      ]),
    ],
    '10,000 tests of one list': () => [
      patch(here, jsonPatch, [
        { op: 'add', path: '/x', value: fill((at) => `a.b/${at}`, limit * 0.64) },
        ...fill(() => ({ op: 'test', path: '/x', value: [] }), 600, 9_998),
      ]),
    ],
    '10,000 copies': () => [
      patch(here, jsonPatch, [
        { op: 'add', path: '/x', value: fill((at) => `a.b/${at}`, limit * 0.77) },
        ...fill((at) => ({ op: 'copy', from: '/x', path: `/y${at}` }), 600, 9_998),
      ]),
    ],
    'copies that double': () => [
      patch(here, jsonPatch, [
        { op: 'add', path: '/x', value: ['a'] },
        ...fill(() => ({ op: 'copy', from: '/x', path: '/x/-' }), 600, 40),
      ]),
    ],
    '10,000 moves': () => [
      patch(here, jsonPatch, [
        { op: 'add', path: '/x', value: fill((at) => `a.b/${at}`, limit * 0.64) },
        ...fill(() => ({ op: 'move', from: '/x/0', path: '/x/-' }), 600, 9_998),
      ]),
    ],
    'a long pointer': () => [patch(here, jsonPatch, [{ op: 'add', path: '/a'.repeat(limit / 2.2), value: 1 }])],
  };

  const applied = (name, fields) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...fields });
  const applying = (path, body, manager = 'm') => patch(`${path}?fieldManager=${manager}&force=true`, apply, body);
  const applies = {
    'apply of many keys': () => [
      applying(`${ns}/configmaps/ap`, applied('ap', { data: object(fill((at) => [`k${at}`, 'v'], limit * 0.7)) })),
    ],
    'apply of the same keys': () =>
      ['m', 'n', 'n'].map((manager) =>
        applying(
          `${ns}/configmaps/ap2`,
          applied('ap2', { data: object(fill((at) => [`k${at}`, manager], limit * 0.73)) }),
          manager,
        ),
      ),
    'apply of fewer keys': () =>
      [0.7, 0.99].map((rest) =>
        applying(`${ns}/configmaps/ap3`, applied('ap3', { data: object(fill((at) => [`k${at}`, 'v'], limit * rest)) })),
      ),
    'apply of containers': () => [
      applying(`${ns}/pods/ap4`, {
        ...pod(
          {},
          fill((at) => ({ name: `c${at}`, image: 'a' })),
        ),
        metadata: { name: 'ap4' },
      }),
    ],
    'apply of containers, again': () =>
      [1, 2].map((image) =>
        applying('/apis/apps/v1/namespaces/default/deployments/ap5', {
          ...deployment({
            template: {
              metadata: { labels: { a: 'b' } },
              spec: { containers: fill((at) => ({ name: `c${at}`, image: `a${image}` }), limit * 0.64) },
            },
          }),
          metadata: { name: 'ap5' },
        }),
      ),
    'apply of ports': () => [
      applying(`${ns}/services/ap6`, {
        ...kind('v1', 'Service', {
          spec: { ports: fill((at) => ({ port: 1 + (at % 65000), protocol: 'TCP' }), limit * 0.4) },
        }),
        metadata: { name: 'ap6' },
      }),
    ],
    'apply of finalizers': () => [
      applying(
        `${ns}/configmaps/ap7`,
        applied('ap7', { metadata: { name: 'ap7', finalizers: fill((at) => `a.b/${at}`) } }),
      ),
    ],
    'apply of unknown fields': () => [
      applying(`${ns}/configmaps/ap8`, applied('ap8', object(fill((at) => [`field${at}`, 1])))),
    ],
    'apply of the same key': () => [
      applying(
        `${ns}/configmaps/ap10`,
        `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"ap10"},"data":{${'"a":"b",\n'.repeat(Math.min(limit / 9.3, mostValues))}"a":"c"}}`,
      ),
    ],
    'apply of a deep map': () => [
      applying(
        `${ns}/configmaps/ap9`,
        `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"ap9"},"data":${deep(9_900)}}`,
      ),
    ],
  };

  const yamls = {
    'YAML keys': () => toYaml(yamlOf(`data:\n${lines((at) => `  k${at}: "v"`)}`)),
    'YAML list': () => toYaml(yamlOf(`finalizers:\n${lines((at) => `- a.b/${at}`)}`)),
    'YAML flow map': () => toYaml(yamlOf(`data: {${lines((at) => `k${at}: v,`)}}`)),
    'YAML block text': () => toYaml(yamlOf(`data:\n  a: |\n${lines(() => '    a line of text')}`)),
    'YAML one plain text': () => toYaml(yamlOf(`data:\n  a: ${'b '.repeat(limit / 2.2)}`)),
    'YAML colons': () => toYaml(yamlOf(`data: ${': '.repeat(limit / 2.2)}`)),
    'YAML brackets': () => toYaml('['.repeat(limit)),
    'YAML dashes': () => toYaml('- '.repeat(limit / 2)),
    'YAML one quoted text': () => toYaml(yamlOf(`data:\n  a: "${'b\\n'.repeat(limit / 3.4)}"`)),
    'YAML comments': () => toYaml(yamlOf(lines(() => '# comment'))),
    'YAML anchors': () => toYaml(yamlOf(`x:\n${lines((at) => `- &a${at} b`)}`)),
    'YAML aliases': () => toYaml(yamlOf(`y: &a b\nx:\n${lines(() => '- *a')}`)),
    'YAML documents': () => toYaml(lines(() => '---')),
  };

  const toYaml = (text) => [post(`${ns}/configmaps`, text, yaml)];

  function lines(line) {
    const made = [];
    for (let size = 200, at = 0; size < limit; at += 1) {
      const next = line(at);
      size += next.length + 1;
      made.push(next);
    }
    made.pop();
    return made.join('\n');
  }

  return { beforehand, cases: { ...lists, ...configurations, ...patches, ...applies, ...yamls } };
}
