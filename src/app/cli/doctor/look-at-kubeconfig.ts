import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { kubeconfigFlag } from '../../../adapters/config/flags/common-flags.ts';
import { isOwnKubeconfig } from '../../../adapters/config/kubeconfig.ts';
import type { ServerAccess } from '../../../adapters/config/kubeconfig/server-access.ts';
import { ok } from './check.ts';
import type { Check } from './check.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Which kubeconfig the commands of kadmit use and why, and whether kubectl goes to the same server. */
export function kubeconfigChecks(
  given: string,
  access: ServerAccess | undefined,
  environment: Environment,
): readonly Check[] {
  if (access === undefined) {
    const text = `there is no ${given} that can be read: no server runs, or it runs in another folder`;
    return [{ level: 'warning', text, hint: 'kadmit serve writes it; --kubeconfig names another' }];
  }
  const used = access.kubeconfig;
  const why =
    given !== kubeconfigFlag.fallback
      ? '--kubeconfig names it'
      : used === given
        ? 'it lies in this folder'
        : 'KUBECONFIG names it, and kadmit wrote it';
  return [ok(`the kubeconfig is ${used}: ${why}`), ...kubectlCheck(used, environment)];
}

/** kubectl takes what KUBECONFIG names, else that of the home folder. */
function kubectlCheck(used: string, { KUBECONFIG = '' }: Environment): readonly Check[] {
  const named = KUBECONFIG.split(delimiter).filter((path) => path !== '');
  const files = named.length > 0 ? named : [join(homedir(), '.kube', 'config')];
  const absolute = resolve(used.split(delimiter)[0] ?? used);
  if (files.some((path) => resolve(path) === absolute)) return [ok('kubectl uses the same one')];
  const isElsewhere = files.some((path) => !isOwnKubeconfig(path));
  return [
    {
      level: isElsewhere ? 'warning' : 'note',
      text: `kubectl would use ${files.join(delimiter)}${named.length > 0 ? ', which KUBECONFIG names' : ''}`,
      hint: `export KUBECONFIG=${absolute}`,
    },
  ];
}
