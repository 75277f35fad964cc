import { asList, asObject, asString } from '../../../../machinery/json/json.ts';
import type { SELinuxOptions } from '../../../../api/types/generated/core-v1.ts';
import { goQuote } from '../../../../machinery/meta/field-error.ts';
import {
  type AnyContainer,
  type PodSecurityCheck,
  type CheckedPod,
  containersOf,
  countNames,
  hasOwnUsers,
  type Holder,
  quotedNames,
  pluralize,
  quoteAll,
  securityOf,
  describeSetters,
  sortedUnique,
  type Violation,
  containersText,
  describeSettersIn,
} from './check.ts';
import { seccompBaseline } from './seccomp.ts';

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

function appArmor(pod: CheckedPod): Violation | undefined {
  const typeOf = (holder: Holder): string | undefined => {
    const profile = securityOf(holder).appArmorProfile;
    const type = asString(asObject(profile).type);
    return profile === undefined || type === 'RuntimeDefault' || type === 'Localhost' ? undefined : type;
  };
  const podType = typeOf(pod.spec);
  const containers = containersOf(pod).filter((container) => typeOf(container) !== undefined);
  const annotations = Object.entries(pod.annotations).filter(([key, value]) => isBadAppArmor(key, asString(value)));
  const subject = [describeSetters(podType !== undefined, containers), annotationsText(annotations.length)];
  const values = [
    ...sortedUnique([podType, ...containers.map(typeOf)].filter((type) => type !== undefined)),
    ...sortedUnique(annotations.map(([key, value]) => `${key}=${goQuote(asString(value))}`)),
  ];
  if (values.length === 0) return undefined;
  return {
    reason: pluralize('forbidden AppArmor profile', 'forbidden AppArmor profiles', values.length),
    detail: `${subject.filter(Boolean).join(' and ')} must not set AppArmor profile type to ${quoteAll(values)}`,
  };
}

const isBadAppArmor = (key: string, value: string): boolean =>
  key.startsWith(appArmorPrefix) && value !== '' && value !== 'runtime/default' && !value.startsWith('localhost/');

const annotationsText = (count: number): string | undefined =>
  count === 0 ? undefined : pluralize('annotation', 'annotations', count);

const defaultCapabilities = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

function capabilities(pod: CheckedPod): Violation | undefined {
  const extraOf = (container: AnyContainer): readonly string[] =>
    asList(asObject(securityOf(container).capabilities).add).filter((name) => !defaultCapabilities.has(name));
  const bad = containersOf(pod).filter((container) => extraOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const added = quoteAll(sortedUnique(bad.flatMap(extraOf)));
  const detail = `${containersText(bad)} must not include ${added} in securityContext.capabilities.add`;
  return { reason: 'non-default capabilities', detail };
}

function hostNamespaces({ spec }: CheckedPod): Violation | undefined {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field] === true);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') };
}

function hostPathVolumes({ spec }: CheckedPod): Violation | undefined {
  const volumes = asList(spec.volumes).filter((volume) => volume.hostPath !== undefined);
  return volumes.length === 0
    ? undefined
    : { reason: 'hostPath volumes', detail: countNames('volume', quotedNames(volumes)) };
}

function hostPorts(pod: CheckedPod): Violation | undefined {
  const portsOf = (container: AnyContainer): readonly string[] =>
    asList(container.ports)
      .map((port) => port.hostPort)
      .filter((port) => port !== undefined && port !== 0)
      .map(String);
  const bad = containersOf(pod).filter((container) => portsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = sortedUnique(bad.flatMap(portsOf));
  const use = pluralize('uses', 'use', bad.length);
  const word = pluralize('hostPort', 'hostPorts', ports.length);
  return {
    reason: 'hostPort',
    detail: `${containersText(bad)} ${use} ${word} ${ports.join(', ')}`,
  };
}

function hostProbes(pod: CheckedPod): Violation | undefined {
  const hostsOf = (container: AnyContainer): readonly string[] => {
    const { livenessProbe, readinessProbe, startupProbe, lifecycle } = container;
    const { postStart, preStop } = asObject(lifecycle);
    return [livenessProbe, readinessProbe, startupProbe, postStart, preStop]
      .flatMap((probe) => [probe?.httpGet, probe?.tcpSocket])
      .map((action) => asString(action?.host))
      .filter((host) => host !== '');
  };
  const bad = containersOf(pod).filter((container) => hostsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const names = sortedUnique(quotedNames(bad));
  const hosts = countNames('probe or lifecycle host', sortedUnique(bad.flatMap(hostsOf)));
  const detail = `${countNames('container', names)} ${pluralize('uses', 'use', names.length)} ${hosts}`;
  return { reason: 'probe or lifecycle host', detail };
}

function privileged(pod: CheckedPod): Violation | undefined {
  const bad = containersOf(pod).filter((container) => securityOf(container).privileged === true);
  if (bad.length === 0) return undefined;
  const detail = `${containersText(bad)} must not set securityContext.privileged=true`;
  return { reason: 'privileged', detail };
}

/** Since 1.35 pods with user namespaces may unmask /proc, at baseline only. */
const procMount = (pod: CheckedPod, minor: number): Violation | undefined =>
  hasOwnUsers(pod, minor) ? undefined : unmaskedProc(pod);

/** Follows pod-security-admission policy/check_procMount.go; check_procMount_restricted.go has the same rule. */
export function unmaskedProc(pod: CheckedPod): Violation | undefined {
  const typeOf = (container: AnyContainer): string => asString(securityOf(container).procMount ?? 'Default');
  const bad = containersOf(pod).filter((container) => typeOf(container) !== 'Default');
  if (bad.length === 0) return undefined;
  const types = quoteAll(sortedUnique(bad.map(typeOf)));
  const detail = `${containersText(bad)} must not set securityContext.procMount to ${types}`;
  return { reason: 'procMount', detail };
}

const seLinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

function seLinux(pod: CheckedPod, minor: number): Violation | undefined {
  const allowed = minor >= 31 ? [...seLinuxTypes, 'container_engine_t'] : seLinuxTypes;
  const optionsOf = (holder: Holder): SELinuxOptions => asObject(securityOf(holder).seLinuxOptions);
  const typeOf = (holder: Holder): string => asString(optionsOf(holder).type);
  const isSet = (holder: Holder, field: 'user' | 'role'): boolean => asString(optionsOf(holder)[field]) !== '';
  const isBad = (holder: Holder): boolean =>
    !allowed.includes(typeOf(holder)) || isSet(holder, 'user') || isSet(holder, 'role');
  const containers = containersOf(pod).filter(isBad);
  const subject = describeSetters(isBad(pod.spec), containers);
  if (subject === undefined) return undefined;
  const holders = [pod.spec, ...containers];
  const types = sortedUnique(holders.map(typeOf).filter((type) => !allowed.includes(type)));
  const what = [
    ...(types.length > 0 ? [countNames('type', types)] : []),
    ...(['user', 'role'] as const)
      .filter((field) => holders.some((holder) => isSet(holder, field)))
      .map((field) => `${field} may not be set`),
  ];
  const detail = `${subject} set forbidden securityContext.seLinuxOptions: ${what.join('; ')}`;
  return { reason: 'seLinuxOptions', detail };
}

/** Allowed sysctls, and since which minor release. */
const safeSysctls: ReadonlyMap<string, number> = new Map([
  ['kernel.shm_rmid_forced', 0],
  ['net.ipv4.ip_local_port_range', 0],
  ['net.ipv4.tcp_syncookies', 0],
  ['net.ipv4.ping_group_range', 0],
  ['net.ipv4.ip_unprivileged_port_start', 0],
  ['net.ipv4.ip_local_reserved_ports', 27],
  ['net.ipv4.tcp_keepalive_time', 29],
  ['net.ipv4.tcp_fin_timeout', 29],
  ['net.ipv4.tcp_keepalive_intvl', 29],
  ['net.ipv4.tcp_keepalive_probes', 29],
  ['net.ipv4.tcp_rmem', 32],
  ['net.ipv4.tcp_wmem', 32],
  ['net.ipv4.tcp_slow_start_after_idle', 37],
  ['net.ipv4.tcp_notsent_lowat', 37],
]);

function sysctls({ spec }: CheckedPod, minor: number): Violation | undefined {
  const names = quotedNames(asList(securityOf(spec).sysctls));
  const isSafe = (name: string): boolean => {
    const since = safeSysctls.get(name);
    return since !== undefined && since <= minor;
  };
  const bad = names.filter((name) => !isSafe(name));
  return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
}

function windowsHostProcess(pod: CheckedPod): Violation | undefined {
  const isBad = (holder: Holder): boolean => asObject(securityOf(holder).windowsOptions).hostProcess === true;
  const subject = describeSettersIn(pod, isBad);
  if (subject === undefined) return undefined;
  return { reason: 'hostProcess', detail: `${subject} must not set securityContext.windowsOptions.hostProcess=true` };
}

/** In order of ids. Follows pod-security-admission policy/check_*.go. */
export const baselineChecks: readonly PodSecurityCheck[] = [
  { id: 'appArmorProfile', since: 0, run: appArmor },
  { id: 'capabilities_baseline', since: 0, run: capabilities },
  { id: 'hostNamespaces', since: 0, run: hostNamespaces },
  { id: 'hostPathVolumes', since: 0, run: hostPathVolumes },
  { id: 'hostPorts', since: 0, run: hostPorts },
  { id: 'hostProbesAndHostLifecycle', since: 34, run: hostProbes },
  { id: 'privileged', since: 0, run: privileged },
  { id: 'procMount', since: 0, run: procMount },
  { id: 'seLinuxOptions', since: 0, run: seLinux },
  { id: 'seccompProfile_baseline', since: 0, run: seccompBaseline },
  { id: 'sysctls', since: 0, run: sysctls },
  { id: 'windowsHostProcess', since: 0, run: windowsHostProcess },
];
