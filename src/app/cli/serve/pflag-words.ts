import { kubeApiserverFlags } from '../envtest/pflag.ts';

/**
 * kube-apiserver's message about a flag, `invalid argument "x" for "--v" flag: …`, and a hint; undefined for a flag that only
 * kadmit has. Follows pflag errors.go.
 */
export function asPflag(problem: string): readonly [hint: string | undefined, error: string | undefined] {
  const [, unknown, hint] = /^unknown flag (--\S+?)(?:; (did you mean .*))?$/.exec(problem) ?? [];
  if (unknown !== undefined) return [hint, `unknown flag: ${unknown}`];
  const [, name = '', text, rest] = /^--(\S+) ("(?:[^"\\]|\\.)*") (.*)$/.exec(problem) ?? [];
  if (text === undefined || !kubeApiserverFlags.all.has(name)) return [undefined, undefined];
  return [undefined, `invalid argument ${text} for "--${name}" flag: ${rest}`];
}
