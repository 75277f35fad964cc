import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import {
  type CallPhase,
  callTarget,
  type CallTarget,
  type ClientConfig,
  type ServerCertificate,
} from '../../apiserver/admission/webhooks/call.ts';
import { errorText } from '../../machinery/errors.ts';
import type { ClusterView } from '../../machinery/meta/cluster-view.ts';
import { readCaBundle } from './ca-bundle.ts';
import { WebhookCallError } from './call-failure.ts';
import { open } from './dial.ts';
import type { PoolAddress, Pools } from './pools.ts';
import { hostPort } from './network-error.ts';
import { mappedResolution, resolveService, directAddress, knownAddress } from './route.ts';
import { certificateInfo } from './verify-certificate.ts';
import type { Mappings } from './mappings.ts';

/** Whether a webhook's backend is reachable. */
export type ProbeResult =
  | { readonly outcome: 'reachable'; readonly address: string; readonly certificate?: ServerCertificate }
  | {
      readonly outcome: 'unreachable';
      readonly phase: CallPhase;
      readonly error: string;
      readonly certificate?: ServerCertificate;
    };

interface ProbePorts {
  readonly cluster: ClusterView;
  readonly mappings: Mappings;
  readonly pools: Pools;
}

const timeoutMs = 3000;

/** Connects like a call, completes the handshake and disconnects. Never throws. */
export async function probeBackend(clientConfig: ClientConfig, ports: ProbePorts): Promise<ProbeResult> {
  const target = callTarget(clientConfig);
  if (!target) return unreachable('client', 'its clientConfig names neither url nor service');
  const bundle = readCaBundle(clientConfig.caBundle ?? '');
  if (bundle.outcome === 'unreadable') return unreachable('client', bundle.error);
  const trust = { certificates: bundle.certificates, identity: undefined, insecure: false };
  const address = addressOf({ webhookCall: { clientConfig }, target, trust }, ports);
  return typeof address === 'string' ? unreachable('resolve', address) : connected(address, target, ports.pools);
}

const unreachable = (phase: CallPhase, error: string): ProbeResult => ({ outcome: 'unreachable', phase, error });

function addressOf(
  naming: Parameters<typeof knownAddress>[1],
  { cluster, mappings }: ProbePorts,
): PoolAddress | string {
  const { target } = naming;
  const { service } = naming.webhookCall.clientConfig;
  const mapping = service ? undefined : mappings.forHost(target);
  if (mapping) return knownAddress(mappedResolution(mapping), naming);
  if (!service) return directAddress(target, naming);
  const { namespace, name } = service;
  const resolution = resolveService({ namespace, name, port: target.port }, cluster, mappings);
  return resolution.outcome === 'unresolved' ? resolution.error : knownAddress(resolution, naming);
}

async function connected(address: PoolAddress, { host: serverName }: CallTarget, pools: Pools): Promise<ProbeResult> {
  const pending = new Set<Socket>();
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    for (const socket of pending) socket.destroy();
  }, timeoutMs);
  try {
    const { socket } = await open(pools.endpointFor(address), pending);
    const leaf = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
    socket.destroy();
    const at = `${address.secure ? 'https' : 'http'}://${hostPort(address.host, address.port)}`;
    return { outcome: 'reachable', address: at, ...(leaf && { certificate: certificateInfo(leaf, serverName) }) };
  } catch (error) {
    if (isLate) return unreachable('timeout', `no connection within ${timeoutMs / 1000} s`);
    if (!(error instanceof WebhookCallError)) return unreachable('connect', errorText(error));
    const { phase, message, known } = error;
    const { certificate } = known;
    return { outcome: 'unreachable', phase, error: message, ...(certificate && { certificate }) };
  } finally {
    clearTimeout(late);
  }
}
