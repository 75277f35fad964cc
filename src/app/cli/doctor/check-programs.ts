import { execFile } from 'node:child_process';
import { asObject, asString } from '../../../machinery/json/json.ts';
import { version } from '../package-file.ts';

const oldestNode = [20, 20] as const;
const timeoutMs = 10_000;

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
    execFile('kubectl', ['version', '--client', '-o', 'json'], { timeout: timeoutMs }, (error, output) => {
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
const soon = 30 * 86_400_000;

export function expiryCheck(
  code: DoctorCode,
  what: string,
  { notAfter, now }: { readonly notAfter: number; readonly now: number },
): DoctorCheck {
  const day = new Date(notAfter).toISOString().slice(0, 10);
  if (notAfter <= now) return { code, level: 'problem', text: `${what} expired on ${day}` };
  return { code, level: notAfter - now < soon ? 'warning' : 'ok', text: `${what} is valid until ${day}` };
}
