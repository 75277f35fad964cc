import { followedVersion } from '../../../machinery/meta/release-names.ts';
import { releaseProblem } from '../../../adapters/config/kubernetes-version.ts';

export type AskedRelease =
  /** `version` is told as kube-apiserver tells its own; `argument` is for `--kubernetes-version`, '' for the release that is followed. */
  | { readonly outcome: 'known'; readonly version: string; readonly argument: string }
  | { readonly outcome: 'unknown'; readonly problem: string };

/** The folders of setup-envtest, `…/k8s/1.32.0-linux-amd64/kube-apiserver`: controller-runtime tools/setup-envtest/store. */
const versionFolder = /[/\\](\d+\.\d+\.\d+)-[a-z0-9]+-[a-z0-9]+[/\\][^/\\]+$/;

const followed = { minor: '1.36', version: followedVersion };

/** The release that a launcher stands for: what KADMIT_KUBERNETES_VERSION says, else the folder of versions in which it lies. */
export function askedRelease(program: string, variable = ''): AskedRelease {
  const [, ofFolder = ''] = versionFolder.exec(program) ?? [];
  const argument = variable === '' ? ofFolder : variable;
  if (argument === '') return { outcome: 'known', version: followed.version, argument };
  const problem = releaseProblem(argument);
  if (problem !== undefined) {
    const where = variable === '' ? `the folder of ${program}` : 'KADMIT_KUBERNETES_VERSION';
    return { outcome: 'unknown', problem: `${where}: ${JSON.stringify(argument)} ${problem}` };
  }
  const plain = argument.replace(/^v/, '');
  if (plain === followed.minor) return { outcome: 'known', version: followed.version, argument };
  return { outcome: 'known', version: `v${/^\d+\.\d+$/.test(plain) ? `${plain}.0` : plain}`, argument };
}
