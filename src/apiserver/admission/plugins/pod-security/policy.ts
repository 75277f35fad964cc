import type { Volume } from '../../../../api/types/generated/core-v1.ts';
import { asList, asObject } from '../../../../machinery/json/json.ts';
import { type FieldError, invalidValue } from '../../../../machinery/meta/field-error.ts';
import type { StringMap } from '../../../../machinery/meta/object.ts';
import { baselineChecks, unmaskedProc } from './baseline-checks.ts';
import {
  type AnyContainer,
  type PodSecurityCheck,
  type CheckedPod,
  containersOf,
  countNames,
  hasOwnUsers,
  type Holder,
  isWindows,
  quotedNames,
  pluralize,
  quoteAll,
  securityOf,
  sortedUnique,
  type Violation,
  containersText,
  describeSettersIn,
} from './check.ts';
import { missingSeccomp } from './seccomp.ts';

function privilegeEscalation(pod: CheckedPod, minor: number): Violation | undefined {
  if (isWindows(pod, minor)) return undefined;
  const bad = containersOf(pod).filter((container) => securityOf(container).allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  const detail = `${containersText(bad)} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: 'allowPrivilegeEscalation != false', detail };
}

function capabilities(pod: CheckedPod, minor: number): Violation | undefined {
  if (isWindows(pod, minor)) return undefined;
  const listOf = (container: AnyContainer, field: 'add' | 'drop'): readonly string[] =>
    asList(asObject(securityOf(container).capabilities)[field]);
  const addedBy = (container: AnyContainer): readonly string[] =>
    listOf(container, 'add').filter((name) => name !== 'NET_BIND_SERVICE');
  const keeping = containersOf(pod).filter((container) => !listOf(container, 'drop').includes('ALL'));
  const adding = containersOf(pod).filter((container) => addedBy(container).length > 0);
  const added = quoteAll(sortedUnique(adding.flatMap(addedBy)));
  const details = [
    ...(keeping.length > 0 ? [`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(adding.length > 0
      ? [`${containersText(adding)} must not include ${added} in securityContext.capabilities.add`]
      : []),
  ];
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
}

const freeVolumes = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

function restrictedVolumes({ spec }: CheckedPod): Violation | undefined {
  const typeOf = (volume: Volume): string => Object.keys(volume).find((field) => field !== 'name') ?? 'unknown';
  const bad = asList(spec.volumes).filter((volume) => !freeVolumes.has(typeOf(volume)));
  if (bad.length === 0) return undefined;
  const types = countNames('restricted volume type', sortedUnique(bad.map(typeOf)));
  const detail = `${countNames('volume', quotedNames(bad))} ${pluralize('uses', 'use', bad.length)} ${types}`;
  return { reason: 'restricted volume types', detail };
}

function runAsNonRoot(pod: CheckedPod, minor: number): Violation | undefined {
  if (hasOwnUsers(pod, minor)) return undefined;
  const reason = 'runAsNonRoot != true';
  const runAsNonRootOf = (holder: Holder): unknown => securityOf(holder).runAsNonRoot;
  const subject = describeSettersIn(pod, (holder) => runAsNonRootOf(holder) === false);
  if (subject !== undefined) return { reason, detail: `${subject} must not set securityContext.runAsNonRoot=false` };
  const silent =
    runAsNonRootOf(pod.spec) === true ? [] : containersOf(pod).filter((one) => runAsNonRootOf(one) === undefined);
  if (silent.length === 0) return undefined;
  return {
    reason,
    detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true`,
  };
}

function runAsUser(pod: CheckedPod, minor: number): Violation | undefined {
  const isRoot = (holder: Holder): boolean => securityOf(holder).runAsUser === 0;
  const subject = describeSettersIn(pod, isRoot);
  if (subject === undefined || hasOwnUsers(pod, minor)) return undefined;
  return { reason: 'runAsUser=0', detail: `${subject} must not set runAsUser=0` };
}

/** In order of ids. Follows pod-security-admission policy/check_*.go. */
const restrictedChecks: readonly PodSecurityCheck[] = [
  { id: 'allowPrivilegeEscalation', since: 8, run: privilegeEscalation },
  { id: 'capabilities_restricted', since: 22, overrides: ['capabilities_baseline'], run: capabilities },
  { id: 'procMount_restricted', since: 35, overrides: ['procMount'], run: unmaskedProc },
  { id: 'restrictedVolumes', since: 0, overrides: ['hostPathVolumes'], run: restrictedVolumes },
  { id: 'runAsNonRoot', since: 0, run: runAsNonRoot },
  { id: 'runAsUser', since: 23, run: runAsUser },
  { id: 'seccompProfile_restricted', since: 19, overrides: ['seccompProfile_baseline'], run: missingSeccomp },
];

export const levels = ['privileged', 'baseline', 'restricted'] as const;

/** `text` is `restricted:latest`. */
export interface LevelVersion {
  readonly level: (typeof levels)[number];
  /** Infinity for the latest. */
  readonly minor: number;
  /** The minor version of the server's library: later versions count as this one. */
  readonly newest: number;
  readonly text: string;
}

export interface PodSecurityPolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
  readonly errors: readonly FieldError[];
}

export const labelPrefix = 'pod-security.kubernetes.io/';

export interface PolicyDefaults {
  readonly enforce: ModeDefault;
  readonly audit: ModeDefault;
  readonly warn: ModeDefault;
}

/** `minor` is Infinity for the latest. */
export type ModeDefault = Pick<LevelVersion, 'level' | 'minor'>;

const privileged: ModeDefault = { level: 'privileged', minor: Infinity };

export const noDefaults: PolicyDefaults = { enforce: privileged, audit: privileged, warn: privileged };

/** Follows pod-security-admission api/helpers.go PolicyToEvaluate. */
export function policyToEvaluate(
  labels: StringMap = {},
  defaults: PolicyDefaults = noDefaults,
  newest = Infinity,
): PodSecurityPolicy {
  const errors: FieldError[] = [];
  /** An invalid label adds an error and counts as `otherwise`. */
  const label = <T>(name: string, reading: Reading<T>, unset: T, otherwise: T): T => {
    const value = labels[`${labelPrefix}${name}`];
    if (value === undefined) return unset;
    const read = reading.read(value);
    if (read === undefined)
      errors.push(invalidValue(`metadata.labels[${labelPrefix}${name}]`, value, reading.forbidden));
    return read ?? otherwise;
  };
  const mode = (name: keyof PolicyDefaults, fallback: LevelVersion['level']): LevelVersion => {
    const level = label(name, levelReading, defaults[name].level, fallback);
    const minor = label(`${name}-version`, versionReading, defaults[name].minor, Infinity);
    return { level, minor, newest, text: `${level}:${minor === Infinity ? 'latest' : `v1.${minor}`}` };
  };
  const enforce = mode('enforce', 'restricted');
  const audit = mode('audit', 'privileged');
  const warn = mode('warn', 'privileged');
  return {
    enforce,
    audit,
    warn: labels[`${labelPrefix}warn`] === undefined ? defaultWarnLevel(enforce, warn, labels) : warn,
    errors,
  };
}

/** `enforce` alone also warns, since it does not apply to pod templates. */
function defaultWarnLevel(enforce: LevelVersion, warn: LevelVersion, labels: StringMap): LevelVersion {
  const isValid = levels.some((level) => level === labels[`${labelPrefix}enforce`]);
  if (!isValid || enforce.level === 'privileged') return warn;
  if (labels[`${labelPrefix}warn-version`] === undefined) return enforce;
  return { ...warn, level: enforce.level, text: `${enforce.level}:${warn.text.replace(/^.*:/, '')}` };
}

interface Reading<T> {
  readonly read: (value: string) => T | undefined;
  readonly forbidden: string;
}

export const levelReading: Reading<LevelVersion['level']> = {
  read: (value) => levels.find((level) => level === value),
  forbidden: `must be one of ${levels.join(', ')}`,
};

export const versionReading: Reading<number> = {
  read: (value) => {
    if (value === 'latest') return Infinity;
    const minor = /^v1\.(0|[1-9]\d*)$/.exec(value)?.[1];
    return minor === undefined ? undefined : Number(minor);
  },
  forbidden: 'must be "latest" or "v1.x"',
};

/** Follows pod-security-admission policy/registry.go. */
export function evaluatePod(pod: CheckedPod, { level, minor: requested, newest }: LevelVersion): readonly Violation[] {
  const minor = Math.min(requested, newest);
  if (level === 'privileged') return [];
  const stricter = level === 'restricted' ? restrictedChecks.filter(({ since }) => since <= minor) : [];
  const overridden = new Set(stricter.flatMap(({ overrides = [] }) => overrides));
  const checks = [...baselineChecks.filter(({ id, since }) => since <= minor && !overridden.has(id)), ...stricter];
  return checks.map(({ run }) => run(pod, minor)).filter((violation) => violation !== undefined);
}

export const aggregateViolations = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
