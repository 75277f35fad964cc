import { asObject } from '../../apimachinery/json.ts';
import type { KubernetesObject } from '../../apimachinery/object.ts';
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

/** Addresses that 1.36 refuses where they are new. Follows apimachinery pkg/util/validation/ip.go of 1.35. */
const later: Change = (texts) =>
  texts.map((text) =>
    text.replace(
      /(non-standard (?:IP address|CIDR value) "[^"]*") is invalid:/,
      '$1 will be considered invalid in a future Kubernetes release:',
    ),
  );

/** Follows kubernetes pkg/api/service/warnings.go of 1.32. */
const early: Change = (texts) =>
  texts.flatMap((text) => {
    if (/: (?:non-standard (?:IP address|CIDR value) "::ffff:|CIDR value )/i.test(text)) return [];
    return text
      .replace(
        /: non-standard IP address ("[^"]*") is invalid: .*/,
        ': IP address was accepted, but will be invalid in a future Kubernetes release: ParseAddr($1): IPv4 field has octet with leading zero',
      )
      .replace(
        /: non-standard CIDR value "([^"/]*)([^"]*)" is invalid: .*/,
        ': IP prefix was accepted, but will be invalid in a future Kubernetes release: netip.ParsePrefix("$1$2"): ParseAddr("$1"): IPv4 field has octet with leading zero',
      )
      .replace(
        /: IPv6 (address|CIDR value) ("[^"]*") should be in RFC 5952 canonical format (.*)$/,
        (_all, what: string, given: string, wanted: string) =>
          `: IPv6 ${what === 'address' ? what : 'prefix'} ${given} is not in RFC 5952 canonical format ${wanted}, which may cause controller apply-loops`,
      );
  });

const aboutIps = /: (?:non-standard |IPv6 (?:address|CIDR)|CIDR value )/;

/** How addresses were warned of before 1.36, and, of services alone, before 1.33. */
export const ipWarningsOf = {
  later,
  early,
  none: (texts) => texts.filter((text) => !aboutIps.test(text)),
} satisfies Record<string, Change>;
