import { kubeApiserverFlags } from '../envtest/kube-apiserver-flags.ts';
import { serveFlags } from './serve-options.ts';

/** Arguments of `kadmit serve`, and the names of kube-apiserver's flags among them that it has no use for. */
export interface SortedArguments {
  readonly args: readonly string[];
  readonly meaningless: readonly string[];
}

const own: ReadonlySet<string> = new Set(['help', ...Object.values(serveFlags).map(({ name }) => name)]);

const isMeaningless = (name: string): boolean => kubeApiserverFlags.all.has(name) && !own.has(name);

/** Takes out the flags that kube-apiserver has and `kadmit serve` has not, so that its command lines can be used as they are. */
export function sortUpstreamFlags(args: readonly string[]): SortedArguments {
  const kept: string[] = [];
  const meaningless: string[] = [];
  const left = [...args];
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (arg === '--') return { args: [...kept, arg, ...left], meaningless };
    const [, name = '', value] = /^--([^=]+)(=.*)?$/s.exec(arg) ?? [];
    if (!isMeaningless(name)) {
      kept.push(arg);
      continue;
    }
    meaningless.push(name);
    if (value === undefined && !kubeApiserverFlags.booleans.has(name)) left.shift();
  }
  return { args: kept, meaningless };
}
