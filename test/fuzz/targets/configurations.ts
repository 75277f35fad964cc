import { readFileSync } from 'node:fs';
import type { Draw } from '../../harness/draw.ts';
import type { FolderAct, Ground, Target } from '../case.ts';
import { damaged } from '../damaged.ts';

interface Configuration {
  readonly flag: string;
  readonly text: string;
}

/** Configuration files of a server: it starts, or prints one line about the problem. */
export const configurationFiles: Target = {
  name: 'config',
  draw: (draw, ground) => [draw.chance(0.8) ? served(draw) : asked(draw, ground)],
};

const serve = ['serve', '--secure-port=0', '--ui-port=-1', '--cert-dir=certs', '--write-kubeconfig=certs/k'];

function served(draw: Draw): FolderAct {
  const { flag, text } = draw.one(configurations);
  return {
    act: 'folder',
    files: { 'c.yaml': damaged(draw, text) },
    command: [...serve, `--${flag}=c.yaml`],
  };
}

/** A kubeconfig of a client. */
function asked(draw: Draw, { webhook }: Ground): FolderAct {
  const text = kubeconfig(webhook.url, `certificate-authority-data: ${webhook.caBundle}`);
  const command = draw.one([
    ['requests', '--kubeconfig', 'k'],
    ['explain', 'last', '--kubeconfig', 'k'],
    ['snapshot', 'save', 'out.jsonl', '--kubeconfig', 'k'],
    ['lint', '--kubeconfig', 'k'],
  ]);
  return { act: 'folder', files: { k: damaged(draw, text) }, command };
}

const kubeconfig = (server: string, more = ''): string => `
apiVersion: v1
kind: Config
current-context: a
clusters: [{ name: a, cluster: { server: "${server}", ${more} } }]
contexts: [{ name: a, context: { cluster: a, user: a, namespace: default } }]
users: [{ name: a, user: { token: x, username: "", password: "", tokenFile: "" } }]
`;

const configurations: readonly [Configuration, ...Configuration[]] = [
  {
    flag: 'authentication-config',
    text: `
apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
anonymous: { enabled: true, conditions: [{ path: /livez }] }
`,
  },
  { flag: 'audit-policy-file', text: readFileSync('test/facts/audit-policy.yaml', 'utf8') },
  {
    flag: 'admission-control-config-file',
    text: `
apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
  - { name: EventRateLimit, configuration: { apiVersion: eventratelimit.admission.k8s.io/v1alpha1, kind: Configuration, limits: [{ type: Namespace, qps: 5, burst: 10, cacheSize: 20 }] } }
  - { name: PodSecurity, configuration: { apiVersion: pod-security.admission.config.k8s.io/v1, kind: PodSecurityConfiguration, defaults: { enforce: baseline, enforce-version: latest }, exemptions: { usernames: [a], runtimeClasses: [], namespaces: [kube-system] } } }
  - { name: ResourceQuota, configuration: { apiVersion: apiserver.config.k8s.io/v1, kind: ResourceQuotaConfiguration, limitedResources: [{ resource: pods, matchContains: [cpu] }] } }
  - { name: PodTolerationRestriction, configuration: { apiVersion: podtolerationrestriction.admission.k8s.io/v1alpha1, kind: Configuration, default: [{ key: a }], whitelist: [{ key: b }] } }
`,
  },
];
