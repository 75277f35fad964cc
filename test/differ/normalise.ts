const today = new Date().toISOString().slice(0, 10);

/** Replaces server-specific values: numbers, times, addresses and suffixes. */
const replacements: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>'],
  // The message of kube-apiserver contains the file name of its scheme in its build.
  [/k8s\.io\/kubernetes\/pkg\/api\/legacyscheme\/scheme\.go:30|pkg\/runtime\/scheme\.go:111/g, '<scheme>'],
  [/(\\*"resourceVersion\\*":\s?\\*")\d+/g, '$1<rv>'],
  [/(resource version: |current: )\d+/g, '$1<rv>'],
  [new RegExp(`${today}T[\\d:.]+Z`, 'g'), '<now>'],
  [/\b10\.0\.\d+\.\d+\b(?!\/)/g, '<ip>'],
  [/("(?:healthCheckN|n)odePort":\s?)3\d{4}/g, '$1<port>'],
  [/kube-api-access-[a-z0-9]{5}/g, 'kube-api-access-<suffix>'],
  [/("name":\s?"[^"]*-)[bcdfghjklmnpqrstvwxz2456789]{5}("[^{}]*"generateName":)/g, '$1<suffix>$2'],
  // Descriptions of columns are prose; see test/known-gaps.ts.
  [/"description":"[^"]*"(,"priority")/g, '"description":""$1'],
  [/\b\d+s\b(?=")/g, '<age>'],
];

export const normalise = (text: string): string =>
  replacements.reduce((so, [pattern, by]) => so.replaceAll(pattern, by), text);
