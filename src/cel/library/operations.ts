import type { CelOperation, CelOperations } from '../run/frame.ts';
import { standard } from '../run/standard.ts';
import { isBox } from '../value/value.ts';
import { authorizerOperations } from './authorizer.ts';
import { formatOperations } from './formats.ts';
import { ipOperations } from './ip.ts';
import { jsonPatchOperations } from './json-patch.ts';
import { listOperations, setOperations } from './lists.ts';
import { optionalOperations } from './optionals.ts';
import { quantityOperations } from './quantity.ts';
import { regexOperations, stringOperations } from './strings.ts';
import { semverComparison, semverOperations } from './semver.ts';
import { urlOperations } from './url.ts';

const semverComparisons: readonly (readonly [string, CelOperation])[] = [
  ['isLessThan', semverComparison((order) => order < 0)],
  ['isGreaterThan', semverComparison((order) => order > 0)],
  ['compareTo', semverComparison((order) => order)],
];

/** Versions and quantities share the names of their comparisons. */
const comparisons = semverComparisons.map(([name, ofVersions]): readonly [string, CelOperation] => {
  const [, ofQuantities = ofVersions] = quantityOperations.find(([other]) => other === name) ?? [];
  return [name, (a, b, c, d) => (isBox(a, 'semver') ? ofVersions : ofQuantities)(a, b, c, d)];
});

/** Every function of Kubernetes CEL, by name. */
export const kubernetesOperations: CelOperations = new Map<string, CelOperation>([
  ...standard,
  ...stringOperations,
  ...listOperations,
  ...setOperations,
  ...optionalOperations,
  ...regexOperations,
  ...urlOperations,
  ...ipOperations,
  ...quantityOperations,
  ...semverOperations,
  ...comparisons,
  ...formatOperations,
  ...authorizerOperations,
  ...jsonPatchOperations,
]);
