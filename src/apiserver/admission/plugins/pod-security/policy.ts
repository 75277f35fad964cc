import { invalidValue } from '../../../../machinery/meta/field-error.ts';
import type { FieldError } from '../../../../machinery/meta/field-error.ts';
import type { StringMap } from '../../../../machinery/meta/object.ts';
import { baselineChecks } from './baseline-checks.ts';
import type { CheckedPod, Violation } from './check.ts';
import { restrictedChecks } from './restricted-checks.ts';

export const levels = ['privileged', 'baseline', 'restricted'] as const;

/** `text` is `restricted:latest`. */
export interface LevelVersion {
  readonly level: (typeof levels)[number];
  /** The minor version; Infinity for the latest. */
  readonly minor: number;
  readonly text: string;
}

/** What a namespace asks of its pods. */
export interface PodSecurityPolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
  /** Labels that make no sense. */
  readonly errors: readonly FieldError[];
}

export const labelPrefix = 'pod-security.kubernetes.io/';

/** What holds for namespaces without labels of their own. */
export interface PolicyDefaults {
  readonly enforce: ModeDefault;
  readonly audit: ModeDefault;
  readonly warn: ModeDefault;
}

/** `minor` is Infinity for the latest. */
export type ModeDefault = Pick<LevelVersion, 'level' | 'minor'>;

const privileged: ModeDefault = { level: 'privileged', minor: Infinity };

export const noDefaults: PolicyDefaults = { enforce: privileged, audit: privileged, warn: privileged };

/** Reads a namespace's labels. Follows pod-security-admission api/helpers.go PolicyToEvaluate. */
export function policyOf(labels: StringMap = {}, defaults: PolicyDefaults = noDefaults): PodSecurityPolicy {
  const errors: FieldError[] = [];
  /** The label's value as `read` takes it; one that makes no sense leaves an error and counts as `otherwise`. */
  const label = <T>(name: string, reading: Reading<T>): T => {
    const value = labels[`${labelPrefix}${name}`];
    const read = value === undefined ? reading.unset : reading.read(value);
    if (read !== undefined) return read;
    errors.push(invalidValue(`metadata.labels[${labelPrefix}${name}]`, value ?? '', reading.complaint));
    return reading.otherwise;
  };
  const mode = (name: keyof PolicyDefaults, fallback: LevelVersion['level']): LevelVersion => {
    const level = label(name, { ...levelReading, unset: defaults[name].level, otherwise: fallback });
    const minor = label(`${name}-version`, { ...versionReading, unset: defaults[name].minor });
    return { level, minor, text: `${level}:${minor === Infinity ? 'latest' : `v1.${minor}`}` };
  };
  const enforce = mode('enforce', 'restricted');
  const audit = mode('audit', 'privileged');
  const warn = mode('warn', 'privileged');
  return {
    enforce,
    audit,
    warn: labels[`${labelPrefix}warn`] === undefined ? warnedBy(enforce, warn, labels) : warn,
    errors,
  };
}

/** Who says only what is enforced is warned by that: what makes pods is not refused. */
function warnedBy(enforce: LevelVersion, warn: LevelVersion, labels: StringMap): LevelVersion {
  const isValid = levels.some((level) => level === labels[`${labelPrefix}enforce`]);
  if (!isValid || enforce.level === 'privileged') return warn;
  if (labels[`${labelPrefix}warn-version`] === undefined) return enforce;
  return { level: enforce.level, minor: warn.minor, text: `${enforce.level}:${warn.text.replace(/^.*:/, '')}` };
}

interface Reading<T> {
  readonly unset: T;
  readonly otherwise: T;
  readonly read: (value: string) => T | undefined;
  readonly complaint: string;
}

export const levelReading: Pick<Reading<LevelVersion['level']>, 'read' | 'complaint'> = {
  read: (value) => levels.find((level) => level === value),
  complaint: `must be one of ${levels.join(', ')}`,
};

export const versionReading: Omit<Reading<number>, 'unset'> = {
  otherwise: Infinity,
  read: (value) => {
    if (value === 'latest') return Infinity;
    const minor = /^v1\.(0|[1-9]\d*)$/.exec(value)?.[1];
    return minor === undefined ? undefined : Number(minor);
  },
  complaint: 'must be "latest" or "v1.x"',
};

/** What the pod does that the level forbids, in upstream's order. Follows pod-security-admission policy/registry.go. */
export function violationsOf(pod: CheckedPod, { level, minor }: LevelVersion): readonly Violation[] {
  if (level === 'privileged') return [];
  const stricter = level === 'restricted' ? restrictedChecks.filter(({ since }) => since <= minor) : [];
  const overridden = new Set(stricter.flatMap(({ overrides = [] }) => overrides));
  const checks = [...baselineChecks.filter(({ id, since }) => since <= minor && !overridden.has(id)), ...stricter];
  return checks.map(({ run }) => run(pod, minor)).filter((violation) => violation !== undefined);
}

/** `a (b), c (d)`. */
export const violationsText = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`)).join(', ');
