// The objects that are created: one that is nearly nothing, and one as they are in clusters (9.7 KB when it is stored).

export const configMap = (name) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { a: '1', b: '2' },
});

/** A Pod of three containers with twenty variables each. */
export const pod = (name) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels: { app: 'shop', tier: 'front', 'app.kubernetes.io/name': 'shop' } },
  spec: { serviceAccountName: 'default', containers: ['shop', 'proxy', 'log'].map(container) },
});

const container = (name, index) => ({
  name,
  image: `registry.example.com/${name}:1.${index}`,
  args: ['--verbose', `--listen=:${8080 + index}`],
  ports: [{ name: 'http', containerPort: 8080 + index }],
  env: Array.from({ length: 20 }, (_, at) => ({ name: `VAR_${at}`, value: `value ${at}` })),
  resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
  readinessProbe: { httpGet: { path: '/readyz', port: 'http' }, periodSeconds: 5 },
  securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, runAsNonRoot: true },
});
