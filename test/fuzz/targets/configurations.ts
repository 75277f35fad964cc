import { readFileSync } from 'node:fs';
import type { RandomChoices } from '../../harness/random-choices.ts';
import type { FolderAct, TargetEnvironment, Target } from '../case.ts';
import { damageDocument } from '../damage-document.ts';

interface Configuration {
  readonly flag: string;
  readonly text: string;
}

/** Configuration files of a server: it starts, or prints one line about the problem. */
export const configurationFiles: Target = {
  name: 'config',
  generate: (random, ground) => [random.chance(0.8) ? generateServe(random) : generateClientCommand(random, ground)],
};

const serve = ['serve', '--secure-port=0', '--ui-port=-1', '--cert-dir=certs', '--write-kubeconfig=certs/k'];

function generateServe(random: RandomChoices): FolderAct {
  const { flag, text } = random.pick(configurations);
  return {
    act: 'folder',
    files: { 'c.yaml': damageDocument(random, text) },
    command: [...serve, `--${flag}=c.yaml`],
  };
}

/** A kubeconfig of a client. */
function generateClientCommand(random: RandomChoices, { webhook }: TargetEnvironment): FolderAct {
  const text = kubeconfig(webhook.url, `certificate-authority-data: ${webhook.caBundle}`);
  const command = random.pick([
    ['requests', '--kubeconfig', 'k'],
    ['explain', 'last', '--kubeconfig', 'k'],
    ['snapshot', 'save', 'out.jsonl', '--kubeconfig', 'k'],
    ['lint', '--kubeconfig', 'k'],
  ]);
  return { act: 'folder', files: { k: damageDocument(random, text) }, command };
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
