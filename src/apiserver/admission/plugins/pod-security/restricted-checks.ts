import { asList, asObject } from '../../../../machinery/json/json.ts';
import type { Volume } from '../../../../api/types/generated/core-v1.ts';
import { unmaskedProc } from './baseline-checks.ts';
import {
  containersOf,
  counted,
  hasOwnUsers,
  isWindows,
  namesOf,
  plural,
  quoted,
  securityOf,
  setters,
  sorted,
} from './check.ts';
import type { AnyContainer, Check, CheckedPod, Holder, Violation } from './check.ts';
import { missingSeccomp } from './seccomp.ts';

function privilegeEscalation(pod: CheckedPod, minor: number): Violation | undefined {
  if (isWindows(pod, minor)) return undefined;
  const bad = containersOf(pod).filter((container) => securityOf(container).allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  const detail = `${counted('container', namesOf(bad))} must set securityContext.allowPrivilegeEscalation=false`;
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
  const added = quoted(sorted(adding.flatMap(addedBy)));
  const details = [
    ...(keeping.length > 0
      ? [`${counted('container', namesOf(keeping))} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...(adding.length > 0
      ? [`${counted('container', namesOf(adding))} must not include ${added} in securityContext.capabilities.add`]
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
  const types = counted('restricted volume type', sorted(bad.map(typeOf)));
  const detail = `${counted('volume', namesOf(bad))} ${plural('uses', 'use', bad.length)} ${types}`;
  return { reason: 'restricted volume types', detail };
}

function runAsNonRoot(pod: CheckedPod, minor: number): Violation | undefined {
  if (hasOwnUsers(pod, minor)) return undefined;
  const reason = 'runAsNonRoot != true';
  const saysOf = (holder: Holder): unknown => securityOf(holder).runAsNonRoot;
  const who = setters(
    saysOf(pod.spec) === false,
    containersOf(pod).filter((container) => saysOf(container) === false),
  );
  if (who !== undefined) return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  const silent = saysOf(pod.spec) === true ? [] : containersOf(pod).filter((one) => saysOf(one) === undefined);
  if (silent.length === 0) return undefined;
  return {
    reason,
    detail: `pod or ${counted('container', namesOf(silent))} must set securityContext.runAsNonRoot=true`,
  };
}

function runAsUser(pod: CheckedPod, minor: number): Violation | undefined {
  const isRoot = (holder: Holder): boolean => securityOf(holder).runAsUser === 0;
  const who = setters(isRoot(pod.spec), containersOf(pod).filter(isRoot));
  if (who === undefined || hasOwnUsers(pod, minor)) return undefined;
  return { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` };
}

/** In order of their ids, as upstream asks them. Follows pod-security-admission policy/check_*.go. */
export const restrictedChecks: readonly Check[] = [
  { id: 'allowPrivilegeEscalation', since: 8, run: privilegeEscalation },
  { id: 'capabilities_restricted', since: 22, overrides: ['capabilities_baseline'], run: capabilities },
  { id: 'procMount_restricted', since: 35, overrides: ['procMount'], run: unmaskedProc },
  { id: 'restrictedVolumes', since: 0, overrides: ['hostPathVolumes'], run: restrictedVolumes },
  { id: 'runAsNonRoot', since: 0, run: runAsNonRoot },
  { id: 'runAsUser', since: 23, run: runAsUser },
  { id: 'seccompProfile_restricted', since: 19, overrides: ['seccompProfile_baseline'], run: missingSeccomp },
];
