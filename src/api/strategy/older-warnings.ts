import { asObject } from '../../machinery/json/json.ts';
import type { KubernetesObject } from '../../machinery/meta/object.ts';
import type { ResourceRules } from './resource-rules.ts';

type Change = (texts: readonly string[], object: KubernetesObject) => readonly string[];

/** Rules whose warnings are changed so. */
export const olderWarnings =
  (change: Change): ((rules: ResourceRules) => ResourceRules) =>
  ({ warningsOnCreate: onCreate, warningsOnUpdate: onUpdate, ...rules }) => ({
    ...rules,
    ...(onCreate && { warningsOnCreate: (object) => change(onCreate(object), object) }),
    ...(onUpdate && { warningsOnUpdate: (object, ...rest) => change(onUpdate(object, ...rest), object) }),
  });

/** Without the warnings that begin with this text. */
export const withoutThose =
  (beginning: string): Change =>
  (texts) =>
    texts.filter((text) => !text.startsWith(beginning));

/** 1.34 warns of any session affinity, also of None. Follows kubernetes pkg/api/service/warnings.go of that release. */
export const headlessSessions: Change = (texts, service) => {
  const { type, clusterIP } = asObject(service['spec']);
  const text = 'spec.SessionAffinity is ignored for headless services';
  if (type !== 'ClusterIP' || clusterIP !== 'None' || texts.includes(text)) return texts;
  return [text, ...texts];
};

/** `FIELD: non-standard IP address "010.0.0.1" is invalid: …` in its parts. */
interface AboutAddress {
  readonly field: string;
  /** `non-standard IP address` and the like. */
  readonly what: string;
  readonly given: string;
  readonly said: string;
}

function readAddressWarning(text: string): AboutAddress | undefined {
  const [before = '', given, ...said] = text.split('"');
  const [field, what] = before.split(': ');
  if (field === undefined || what === undefined || given === undefined) return undefined;
  return { field, what: what.trimEnd(), given, said: said.join('"').trimStart() };
}

const changedWarnings =
  (change: (about: AboutAddress) => string | undefined): Change =>
  (texts) =>
    texts.map((text) => {
      const about = readAddressWarning(text);
      return (about && change(about)) ?? text;
    });

const nonStandard = ['non-standard IP address', 'non-standard CIDR value'];
const invalid = 'is invalid:';

/** Addresses that 1.36 refuses where they are new. Follows apimachinery pkg/util/validation/ip.go of 1.35. */
const later = changedWarnings(({ field, what, given, said }) => {
  if (!nonStandard.includes(what) || !said.startsWith(invalid)) return undefined;
  const rest = said.slice(invalid.length);
  return `${field}: ${what} "${given}" will be considered invalid in a future Kubernetes release:${rest}`;
});

/** Follows kubernetes pkg/api/service/warnings.go of 1.32. */
const early: Change = (texts, object) =>
  earlyWords(
    texts.filter((text) => !isLaterWarning(about(text))),
    object,
  );

const isLaterWarning = (text: string): boolean =>
  /^(?:non-standard (?:IP address|CIDR value) "::ffff:|CIDR value )/i.test(text);

/** What is said of the field. */
const about = (text: string): string => text.slice(text.indexOf(': ') + 2);

const notCanonical = 'should be in RFC 5952 canonical format ';
const octet = 'IPv4 field has octet with leading zero';

const earlyWords = changedWarnings(({ field, what, given, said }) => {
  const accepted = 'was accepted, but will be invalid in a future Kubernetes release:';
  if (said.startsWith(invalid) && what === 'non-standard IP address') {
    return `${field}: IP address ${accepted} ParseAddr("${given}"): ${octet}`;
  }
  if (said.startsWith(invalid) && what === 'non-standard CIDR value') {
    const [address = ''] = given.split('/', 1);
    return `${field}: IP prefix ${accepted} netip.ParsePrefix("${given}"): ParseAddr("${address}"): ${octet}`;
  }
  if (!said.startsWith(notCanonical) || !['IPv6 address', 'IPv6 CIDR value'].includes(what)) return undefined;
  const wanted = said.slice(notCanonical.length);
  const known = what.replace('CIDR value', 'prefix');
  return `${field}: ${known} "${given}" is not in RFC 5952 canonical format ${wanted}, which may cause controller apply-loops`;
});

/** How addresses were warned of before 1.36, and, of services alone, before 1.33. */
export const ipWarningsOf = {
  later,
  early,
  none: (texts) => texts.filter((text) => !/^(?:non-standard |IPv6 (?:address|CIDR)|CIDR value )/.test(about(text))),
} satisfies Record<string, Change>;
