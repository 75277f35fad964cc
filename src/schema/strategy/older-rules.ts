import type { ResourceRules } from './resource-rules.ts';

interface OlderRow {
  /** The first minor release that does as the tables of rules say. */
  readonly since: number;
  readonly resource: string;
  /** What the releases before it do, made of what the ones after them do. */
  readonly before: (rules: ResourceRules) => ResourceRules;
}

/** What rules of resources were before they became what they are. */
const rows: readonly OlderRow[] = [
  // Pods have a generation: kubernetes pkg/registry/core/pod/strategy.go of 1.32 and 1.33.
  { since: 33, resource: '/pods', before: ({ newGeneration: _later, ...rules }) => rules },
  // kubernetes pkg/api/service/warnings.go of 1.34 and 1.35, and of 1.36 (pull request 137293).
  {
    since: 35,
    resource: '/services',
    before: withoutWarnings('spec.trafficDistribution: "PreferClose" is deprecated'),
  },
  { since: 36, resource: '/services', before: withoutWarnings('spec.externalIPs is deprecated') },
  // kubernetes pkg/registry/storage/csidriver/strategy.go of 1.34 and 1.35.
  {
    since: 35,
    resource: 'storage.k8s.io/csidrivers',
    before: withoutWarnings('spec.serviceAccountTokenInSecrets is unset'),
  },
];

/** Without the warnings that begin with this text. */
function withoutWarnings(beginning: string): OlderRow['before'] {
  const earlier = (texts: readonly string[]): readonly string[] => texts.filter((text) => !text.startsWith(beginning));
  return ({ warningsOnCreate: onCreate, warningsOnUpdate: onUpdate, ...rules }) => ({
    ...rules,
    ...(onCreate && { warningsOnCreate: (object) => earlier(onCreate(object)) }),
    ...(onUpdate && { warningsOnUpdate: (...args) => earlier(onUpdate(...args)) }),
  });
}

/** The rules of a resource as this minor release has them. */
export const rulesIn = (resource: string, rules: ResourceRules, minor: number): ResourceRules =>
  rows.filter((row) => row.resource === resource && minor < row.since).reduce((so, { before }) => before(so), rules);
