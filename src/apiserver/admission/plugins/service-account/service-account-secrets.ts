import type { AnyContainer } from '../pod-security/check.ts';
import { readGoBool } from '../../../../machinery/go/strconv.ts';
import { asList, asString } from '../../../../machinery/json/json.ts';
import { metadataOf } from '../../../../machinery/meta/object.ts';
import type {
  LocalObjectReference,
  ObjectReference,
  PodSpec,
  ServiceAccount,
} from '../../../../api/types/generated/core-v1.ts';

/**
 * An annotated ServiceAccount allows only its listed secrets. Follows kubernetes
 * plugin/pkg/admission/serviceaccount/admission.go limitSecretReferences.
 */
export function secretFault(spec: PodSpec, account: ServiceAccount): string | undefined {
  if (!isEnforced(account)) return undefined;
  const allowed = namesIn(account.secrets);
  const pullable = namesIn(account.imagePullSecrets);
  const faults = [
    ...secretVolumes(spec).map((name) => refuseUnlessAllowed(allowed, name, `volume with ${secretName(name)}`)),
    ...containerFaults(spec.initContainers, 'init container', allowed),
    ...containerFaults(spec.containers, 'container', allowed),
  ];
  const fault = faults.find((text) => text !== undefined);
  if (fault !== undefined) return `${fault} ${notReferenced(account, 'secret')}`;
  const pullSecrets = asList(spec.imagePullSecrets).map(nameIn);
  const index = pullSecrets.findIndex((name) => !pullable.has(name));
  if (index < 0) return undefined;
  return `imagePullSecrets[${index}].name="${pullSecrets[index] ?? ''}" ${notReferenced(account, 'imagePullSecret')}`;
}

export function ephemeralContainersSecretFault(spec: PodSpec, account: ServiceAccount): string | undefined {
  if (!isEnforced(account)) return undefined;
  const faults = containerFaults(spec.ephemeralContainers, 'ephemeral container', namesIn(account.secrets));
  const fault = faults.find((text) => text !== undefined);
  return fault === undefined ? undefined : `${fault} ${notReferenced(account, 'secret')}`;
}

const isEnforced = (account: ServiceAccount): boolean =>
  readGoBool(metadataOf(account).annotations?.['kubernetes.io/enforce-mountable-secrets'] ?? '') === true;

const nameIn = ({ name }: ObjectReference | LocalObjectReference): string => asString(name);

const namesIn = (
  references: readonly ObjectReference[] | readonly LocalObjectReference[] | undefined,
): ReadonlySet<string> => new Set(asList<ObjectReference | LocalObjectReference>(references).map(nameIn));

const secretName = (name: string): string => `secret.secretName="${name}"`;

const notReferenced = (account: ServiceAccount, what: string): string =>
  `is not allowed because service account ${metadataOf(account).name ?? ''} does not reference that ${what}`;

const refuseUnlessAllowed = (allowed: ReadonlySet<string>, name: string, text: string): string | undefined =>
  allowed.has(name) ? undefined : text;

const secretVolumes = (spec: PodSpec): readonly string[] =>
  asList(spec.volumes)
    .map(({ secret }) => secret)
    .filter((secret) => secret !== undefined)
    .map((secret) => asString(secret.secretName));

function containerFaults(
  containers: readonly AnyContainer[] | null | undefined,
  what: string,
  allowed: ReadonlySet<string>,
) {
  return asList(containers).flatMap((container) => {
    const subject = `${what} ${asString(container.name)} with`;
    return [
      ...variables(container).map(([variable, name]) =>
        refuseUnlessAllowed(allowed, name, `${subject} envVar ${variable} referencing ${secretName(name)}`),
      ),
      ...sources(container).map((name) =>
        refuseUnlessAllowed(allowed, name, `${subject} envFrom referencing ${secretName(name)}`),
      ),
    ];
  });
}

/** Pairs of variable and secret name. */
const variables = (container: AnyContainer): readonly (readonly [variable: string, secret: string])[] =>
  asList(container.env)
    .map(({ name, valueFrom }) => [asString(name), valueFrom?.secretKeyRef] as const)
    .flatMap(([name, reference]) => (reference === undefined ? [] : [[name, nameIn(reference)] as const]));

const sources = (container: AnyContainer): readonly string[] =>
  asList(container.envFrom)
    .map(({ secretRef }) => secretRef)
    .flatMap((reference) => (reference === undefined ? [] : [nameIn(reference)]));
