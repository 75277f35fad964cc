// Prints the SBOM (CycloneDX) of a packed dist/: node test/tools/write-sbom.mjs [DIST] > kadmit.cdx.json
// npm knows the whole tree with its hashes; the packages that build and test kadmit are left out.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { bundledPackages } from './write-licences.mjs';

const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
const tree = JSON.parse(
  execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 2 ** 28, shell: process.platform === 'win32' }),
);
const bundled = new Set(bundledPackages(process.argv[2] ?? 'dist'));
const self = `${name}@${version}`;
const isKept = (ref) => ref === self || bundled.has(ref);
const sbom = {
  ...tree,
  metadata: { ...tree.metadata, component: { ...tree.metadata.component, name } },
  // For npm they are development dependencies, since they are not installed with kadmit.
  components: tree.components.filter((one) => isKept(one['bom-ref'])).map((one) => ({ ...one, properties: [] })),
  dependencies: tree.dependencies
    .filter(({ ref }) => isKept(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isKept) })),
};
process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`);
