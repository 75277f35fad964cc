import { kubeApiserverFlags } from '../envtest/pflag.ts';

/**
 * What is wrong with a flag, in the words of kube-apiserver: `invalid argument "x" for "--v" flag: …`, and what may have
 * been meant. No words for a flag that only kadmit has. Follows pflag errors.go.
 */
export function asPflag(problem: string): readonly [hint: string | undefined, error: string | undefined] {
  const [, unknown, hint] = /^unknown flag (--\S+?)(?:; (did you mean .*))?$/.exec(problem) ?? [];
  if (unknown !== undefined) return [hint, `unknown flag: ${unknown}`];
  const [, name = '', text, rest] = /^--(\S+) ("(?:[^"\\]|\\.)*") (.*)$/.exec(problem) ?? [];
  if (text === undefined || !kubeApiserverFlags.all.has(name)) return [undefined, undefined];
  return [undefined, `invalid argument ${text} for "--${name}" flag: ${rest}`];
}
