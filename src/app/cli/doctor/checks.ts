import { execFile } from 'node:child_process';
import { asObject, asString, asList, isJsonObject } from '../../../machinery/json/json.ts';
import { version } from '../package-file.ts';
import { X509Certificate } from 'node:crypto';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { connect } from 'node:tls';
import { kubeconfigFlag } from '../../../adapters/config/flags/common-flags.ts';
import { isOwnKubeconfig } from '../../../adapters/config/kubeconfig/read-kubeconfig.ts';
import { type ServerAccess, callServer } from '../../../adapters/config/kubeconfig/call-server.ts';
import { healthSentence } from '../../../explain/render/chain-words.ts';
import type { ChainBackend } from '../../../explain/trace/chain-document.ts';
import { errorText } from '../../../machinery/errors.ts';
import { bareHost } from '../../../machinery/url-address.ts';
import { setVariable } from '../terminal/platform.ts';

const oldestNode = [20, 20] as const;

const kubectlTimeoutMs = 10_000;

export const checkPrograms = async (): Promise<readonly DoctorCheck[]> => [
  nodeCheck(process.versions.node, version()),
  await kubectlCheck(),
];

/** kadmit needs Node 20.20 (engines of package.json). */
export function nodeCheck(node: string, kadmit: string): DoctorCheck {
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const [min, minMinor] = oldestNode;
  const text = `kadmit ${kadmit} on Node ${node}`;
  if (major > min || (major === min && minor >= minMinor)) return passedCheck('node', text);
  return { code: 'node', level: 'problem', text, hint: `install Node ${oldestNode.join('.')} or newer` };
}

const kubectlCheck = (): Promise<DoctorCheck> =>
  new Promise((resolve) => {
    execFile('kubectl', ['version', '--client', '-o', 'json'], { timeout: kubectlTimeoutMs }, (error, output) => {
      resolve(error ? kubectlMissing(error) : passedCheck('kubectl', `kubectl ${kubectlVersion(output)}`));
    });
  });

const kubectlMissing = ({ message, code }: Error & { readonly code?: unknown }): DoctorCheck =>
  code === 'ENOENT'
    ? {
        code: 'kubectl',
        level: 'warning',
        text: 'kubectl is not on the PATH',
        hint: 'any client works; the guides use kubectl',
      }
    : { code: 'kubectl', level: 'warning', text: `kubectl version fails: ${message.split('\n')[0]}` };

function kubectlVersion(output: string): string {
  try {
    return asString(asObject(asObject(JSON.parse(output))['clientVersion'])['gitVersion']) || 'of an unknown version';
  } catch {
    return 'of an unknown version';
  }
}

/** Codes of checks, in the order of the checks. */
export const doctorCodes = [
  'node',
  'kubectl',
  'port',
  'kubeconfig',
  'kubectl-kubeconfig',
  'server',
  'server-certificate',
  'client-certificate',
  'webhook',
] as const;

type DoctorCode = (typeof doctorCodes)[number];

export interface DoctorCheck {
  readonly code: DoctorCode;
  readonly level: 'ok' | 'note' | 'warning' | 'problem';
  readonly text: string;
  readonly hint?: string;
}

export const passedCheck = (code: DoctorCode, text: string): DoctorCheck => ({ code, level: 'ok', text });

/** Certificates that expire earlier are warnings. */
const expiryWarningMs = 30 * 86_400_000;

export function expiryCheck(
  code: DoctorCode,
  what: string,
  { notAfter, now }: { readonly notAfter: number; readonly now: number },
): DoctorCheck {
  const day = new Date(notAfter).toISOString().slice(0, 10);
  if (notAfter <= now) return { code, level: 'problem', text: `${what} expired on ${day}` };
  return { code, level: notAfter - now < expiryWarningMs ? 'warning' : 'ok', text: `${what} is valid until ${day}` };
}

export async function checkBackends(access: ServerAccess, now: number): Promise<readonly DoctorCheck[]> {
  const { code, text } = await callServer(access, { method: 'GET', path: '/kadmit/v1/backends' });
  if (code !== 200) return [];
  const backends = asList(asObject(JSON.parse(text))['backends']).flatMap((one) => (isBackend(one) ? [one] : []));
  return backends.length === 0
    ? [passedCheck('webhook', 'no webhook is configured')]
    : backends.map((one) => backendCheck(one, now));
}

const isBackend = (value: unknown): value is ChainBackend => isJsonObject(value) && asString(value['name']) !== '';

/** An unreachable webhook is a problem under either failurePolicy: with Ignore, requests pass unchecked. */
export function backendCheck(
  { phase, name, within, failurePolicy, health, assumed }: ChainBackend,
  now: number,
): DoctorCheck {
  const subject = `${phase} webhook ${name} (${within})`;
  if (assumed)
    return { code: 'webhook', level: 'note', text: `${subject}: not called, assumed to ${assumed} (--assume)` };
  if (!health) return passedCheck('webhook', subject);
  const text = `${subject}: ${healthSentence(health, now)}`;
  if (health.outcome === 'reachable') return passedCheck('webhook', text);
  const fix = `start it, route it with kadmit map, or use kadmit serve --assume ${name}=allow`;
  const consequence =
    failurePolicy === 'Ignore' ? 'requests pass without it, because its failurePolicy is Ignore; ' : '';
  return { code: 'webhook', level: 'problem', text, hint: `${consequence}${fix}` };
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The kubeconfig of kadmit's commands and its origin, and whether kubectl uses the same server. */
export function kubeconfigChecks(
  given: string,
  access: ServerAccess | undefined,
  environment: Environment,
): readonly DoctorCheck[] {
  if (access === undefined) {
    const text = `${given} cannot be read: no server runs, or it runs in another folder`;
    return [
      { code: 'kubeconfig', level: 'problem', text, hint: 'kadmit serve writes it; --kubeconfig selects another' },
    ];
  }
  const used = access.kubeconfig;
  const why =
    given !== kubeconfigFlag.fallback
      ? 'selected by --kubeconfig'
      : used === given
        ? 'it is in this folder'
        : 'selected by KUBECONFIG, and written by kadmit';
  return [passedCheck('kubeconfig', `the kubeconfig is ${used}: ${why}`), ...kubectlKubeconfigCheck(used, environment)];
}

/** kubectl uses the files of KUBECONFIG, else that of the home folder. */
function kubectlKubeconfigCheck(used: string, { KUBECONFIG = '' }: Environment): readonly DoctorCheck[] {
  const named = KUBECONFIG.split(delimiter).filter((path) => path !== '');
  const files = named.length > 0 ? named : [join(homedir(), '.kube', 'config')];
  const absolute = resolve(used.split(delimiter)[0] ?? used);
  if (files.some((path) => resolve(path) === absolute))
    return [passedCheck('kubectl-kubeconfig', 'kubectl uses the same kubeconfig')];
  const isElsewhere = files.some((path) => !isOwnKubeconfig(path));
  return [
    {
      code: 'kubectl-kubeconfig',
      level: isElsewhere ? 'warning' : 'note',
      text: `kubectl would use ${files.join(delimiter)}${named.length > 0 ? ', selected by KUBECONFIG' : ''}`,
      hint: setVariable('KUBECONFIG', absolute),
    },
  ];
}

const responseTimeoutMs = 5000;

/** Whether it responds, is kadmit, knows the user, and until when certificates are valid. */
export async function checkServer(access: ServerAccess, now: number): Promise<readonly DoctorCheck[]> {
  const response = await responseCheck(access);
  if (response.level === 'problem') return [response];
  const ends = await fetchCertificateExpiry(access.url);
  return [
    response,
    ...(ends === undefined
      ? []
      : [expiryCheck('server-certificate', 'the certificate of the server', { notAfter: ends, now })]),
    ...(access.certificate === undefined ? [] : [clientCertificateCheck(access.kubeconfig, access.certificate, now)]),
  ];
}

const clientCertificateCheck = (kubeconfig: string, certificate: string, now: number): DoctorCheck =>
  expiryCheck('client-certificate', `the client certificate in ${kubeconfig}`, {
    notAfter: certificateExpiry(certificate),
    now,
  });

async function responseCheck(access: ServerAccess): Promise<DoctorCheck> {
  const { url } = access;
  try {
    const { code, text } = await callServer(access, { method: 'GET', path: '/version', timeout: responseTimeoutMs });
    if (code === 401 || code === 403) {
      return {
        code: 'server',
        level: 'problem',
        text: `${url} responds with ${code}: it does not accept these credentials`,
        hint: startServerHint,
      };
    }
    const traces = await callServer(access, {
      method: 'GET',
      path: '/kadmit/v1/traces?limit=1',
      timeout: responseTimeoutMs,
    });
    const version = asString(asObject(JSON.parse(text))['gitVersion']);
    if (traces.code === 200) return passedCheck('server', `${url} responds: kadmit, as Kubernetes ${version}`);
    return {
      code: 'server',
      level: 'warning',
      text: `${url} is not kadmit: Kubernetes ${version}`,
      hint: 'explain, requests, chain and map need kadmit serve',
    };
  } catch (error) {
    return { code: 'server', level: 'problem', text: errorText(error), hint: startServerHint };
  }
}

const startServerHint = 'start kadmit serve in this folder: it writes a new kubeconfig';

const certificateExpiry = (pem: string): number => Date.parse(new X509Certificate(pem).validTo);

/** When the server's certificate expires, whatever its CA; undefined when there is none. */
function fetchCertificateExpiry(url: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({
      host: bareHost(hostname),
      port: Number(port) || 443,
      rejectUnauthorized: false,
    });
    const end = (found: number | undefined): void => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(responseTimeoutMs, () => end(undefined));
    socket.once('error', () => end(undefined));
    socket.once('secureConnect', () => {
      const shown = socket.getPeerX509Certificate();
      end(shown && Date.parse(shown.validTo));
    });
  });
}
