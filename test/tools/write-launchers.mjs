// The programs that controller-runtime's envtest looks for in KUBEBUILDER_ASSETS.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const standIn = (name) => `#!/usr/bin/env node
// kadmit in the place of ${name}, for suites that use controller-runtime's envtest.
process.argv.splice(2, 0, 'envtest', '${name}');
await import('../main.js');
`;

const kubectl = `#!/bin/sh
# The kubectl of the PATH, for suites that use controller-runtime's envtest.
IFS=:
for folder in $PATH; do
  program=\${folder:-.}/kubectl
  if [ -f "$program" ] && [ -x "$program" ] && ! [ "$program" -ef "$0" ]; then
    unset IFS
    exec "$program" "$@"
  fi
done
echo 'kadmit brings no kubectl of its own, and there is none on the PATH' >&2
exit 127
`;

// Windows runs no file without an extension; Go finds this one beside it.
const batch = (name) => `@node "%~dp0${name}" %*\r\n`;

/** Writes them to envtest/ in the folder of the bundle. */
export function writeLaunchers(dist) {
  const folder = join(dist, 'envtest');
  mkdirSync(folder, { recursive: true });
  const standIns = ['kube-apiserver', 'etcd'];
  const programs = {
    ...Object.fromEntries(standIns.map((name) => [name, standIn(name)])),
    ...Object.fromEntries(standIns.map((name) => [`${name}.cmd`, batch(name)])),
    kubectl,
  };
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text, { mode: 0o755 });
}
